internal import CenterInterface
internal import NotificationModel

/// Stores the tool's own requests as files in the inbox, if the tool cannot reach the daemon's bus.
///
/// A daemon imports the files later. The dates of a request count from its creation, not from its
/// import. The inbox refuses requests of other apps.
actor InboxService: RequestKeeping {
    static let hosting = "inbox"

    private let environment: ToolEnvironment
    private let path: String
    /// Why the notification centre cannot be reached.
    nonisolated let reason: String
    private var identity: ApplicationIdentity?

    /// Makes a service; nil if there is no directory for its files.
    init?(in environment: ToolEnvironment, without reason: String) {
        guard let path = environment.inbox() else { return nil }
        self.environment = environment
        self.path = path
        self.reason = reason
    }

    /// Whether nothing is pending; an inbox that cannot be read counts as empty.
    var isEmpty: Bool { ((try? Inbox.opened(path))??.identifiers() ?? []).isEmpty }

    // MARK: Requests

    func add(
        _ request: NotificationRequest, attachments: [OpenFile], for app: ApplicationID
    ) async throws(NotificationError) {
        try write(RequestWithFiles(request, files: attachments), for: app)
    }

    /// Adds the requests one after another; an error leaves the earlier requests in the inbox.
    func add(
        _ requests: [RequestWithFiles], for app: ApplicationID
    ) async throws(NotificationError) {
        for item in requests { try write(item, for: app) }
    }

    private func write(
        _ addition: RequestWithFiles, for app: ApplicationID
    ) throws(NotificationError) {
        var request = addition.request
        guard app == .tocsin else {
            throw NotificationError(
                .noBus,
                "\(reason) Only the tool's own notifications wait for a login, not those of \(app)."
            )
        }
        // The daemon makes the same check, but long after this program has ended.
        try NotificationRequest.record.check(
            request, of: "the request \(request.identifier.quotedForMessage())")
        if case .interval(let seconds, false) = request.trigger,
            let length = Int64(exactly: (seconds * 1_000_000).rounded(.up))
        {
            request.trigger = .at(environment.now.adding(microseconds: length))
        }
        for (attachment, file) in zip(request.content.attachments, addition.files) {
            try Self.check(attachment, file)
        }
        let inbox: Inbox
        do throws(NotificationError) {
            inbox = try Inbox.made(path)
        } catch {
            throw NotificationError(
                .noBus, "\(reason) The request cannot wait for a login either: \(error.message)")
        }
        let former = items(of: inbox).filter {
            $0.request.identifier.hasSameBytes(as: request.identifier)
        }
        let item = InboxItem(
            created: environment.now, request: request, nextFire: addition.nextFire,
            identity: identity ?? former.last?.identity)
        try inbox.write(item, files: addition.files)
        inbox.remove(Set(former.map(\.id)))
    }

    func pendingPage(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        let items = app ?? .tocsin == .tocsin ? try items() : []
        let pending = items.enumerated().map { index, item in
            let (nextFire, regular) = dates(of: item)
            return PendingNotification(
                app: .tocsin, request: item.request, state: .pending, nextFire: nextFire,
                serial: Int64(index), regular: regular)
        }
        if let text = query.abbreviation {
            let listed = pending.sorted(by: PendingNotification.firesEarlier)
            let found = Abbreviation(text).candidates(in: listed, last: pending.last) {
                $0.request.identifier
            }
            return ListPage(notifications: found, next: nil)
        }
        return ListPage(
            notifications: pending.filter { item in
                query.identifiers?.contains { $0.hasSameBytes(as: item.request.identifier) } ?? true
            }, next: nil)
    }

    /// The next fire date of an item, and the date that a snooze has put off; nil without a snooze.
    ///
    /// The daemon determines the same dates later.
    private func dates(of item: InboxItem) -> (nextFire: Instant?, regular: Instant?) {
        let forecast = FireDateForecast(environment: environment)
        let trigger = item.request.trigger
        let first = forecast.first(of: trigger, after: item.created)
        guard let date = item.nextFire, let first, date > first else { return (first, nil) }
        let isSkip = forecast.first(of: trigger, after: date.adding(microseconds: -1)) == date
        return (date, isSkip ? nil : first)
    }

    func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        guard app == .tocsin, let inbox = try Inbox.opened(path) else { return }
        var chosen = items(of: inbox)
        if case .identifiers(let wanted) = selection {
            chosen.removeAll { item in
                !wanted.contains { $0.hasSameBytes(as: item.request.identifier) }
            }
        }
        inbox.remove(Set(chosen.map(\.id)))
        inbox.flush()
    }

    private func items() throws(NotificationError) -> [InboxItem] {
        try Inbox.opened(path).map(items) ?? []
    }

    /// The items in order of creation; a warning names each file that cannot be read.
    private func items(of inbox: Inbox) -> [InboxItem] {
        inbox.identifiers().compactMap { identifier in
            do throws(NotificationError) {
                return try inbox.item(identifier)
            } catch {
                Output.warn("tocsin: \(path)/\(identifier).json is skipped: \(error.message)")
                return nil
            }
        }.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    private static func check(
        _ attachment: NotificationAttachment, _ file: OpenFile
    ) throws(NotificationError) {
        try file.checkReading(of: attachment.path)
        guard let type = AttachmentType.named(attachment.type), file.size <= type.maximumSize,
            type.isPlausible(for: file)
        else {
            throw NotificationError(
                .attachmentCorrupt,
                "The attachment \(attachment.path.quotedForMessage()) is no \(attachment.type), or "
                    + "too large. Attach a file that other programs can open.")
        }
    }

    // MARK: Identity and status

    /// Remembers how a click starts the tool, for requests that are added after this.
    func introduce(_ application: ApplicationIdentity) throws(NotificationError) {
        guard application.id == .tocsin else { throw NotificationError(.noBus, reason) }
        identity = application
    }

    func status() throws(NotificationError) -> ServiceStatus {
        let count = try items().count
        return ServiceStatus(
            version: Version.current, hosting: Self.hosting, store: path, pendingCount: count,
            deliveredCount: 0, responseCount: 0, nextFire: nil,
            presenter: PresenterStatus(isAvailable: false))
    }
}
