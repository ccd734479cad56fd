internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Updates the schedule from a folder of iCalendar files as long as there is a bus.
///
/// After each update, the requests from the folder match the files in it. A request that is due or
/// snoozed stays until its event is cancelled or deleted. If a file or an event cannot be read, a
/// warning names it, and its requests stay as they are. The follower never changes a request of
/// another source, and never follows links in the folder.
struct CalendarFollower {
    private static let events: PathEvents = [
        .movedIn, .movedOut, .created, .written, .deleted, .attributesChanged,
    ]
    /// An update begins after this time without a change, because programs that synchronise write
    /// many files at once.
    private static let quietTime: Duration = .milliseconds(200)
    /// An update runs at least daily: as dates pass, it adds the dates that the import limit left
    /// out before.
    private static let longestPause: Duration = .seconds(86_400)

    private enum Event: Sendable {
        case changed
        case busLost
    }

    /// The absolute path of the folder, which also names the source of its requests.
    ///
    /// It is the same for each spelling of the path, so that a later follower knows these requests.
    let folder: String
    let center: CenterClient
    let app: ApplicationID
    let onlyAlarms: Bool
    let environment: ToolEnvironment
    /// Reports a changed request: its identifier, and whether it was added (true) or removed.
    let report: (String, Bool) throws(ToolError) -> Void

    /// Follows the folder until an error is thrown.
    func run() async throws {
        let (events, source) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(4))
        await center.connection.onLoss { source.yield(.busLost) }
        func deadline(after pause: Duration) -> Deadline {
            environment.reactor.deadline(after: pause) { source.yield(.changed) }
        }
        var quiet = deadline(after: .zero)
        // Each update restarts `refresh`. If it restarted `quiet` instead, a change that came
        // during the update would be lost.
        var refresh = deadline(after: Self.longestPause)
        let watch = try watch {
            quiet.cancel()
            quiet = deadline(after: Self.quietTime)
        }
        defer { watch.cancel() }
        for await event in events {
            guard case .changed = event else {
                throw ToolError.unreachable(
                    "The session bus was lost, so the folder is followed no longer. Run the "
                        + "command again in a running session.")
            }
            try await updateSchedule()
            refresh.cancel()
            refresh = deadline(after: Self.longestPause)
        }
    }

    private func watch(_ changed: @escaping () -> Void) throws(ToolError) -> PathWatch {
        do throws(SystemFailure) {
            let watch = try environment.reactor.watch(folder: folder, for: Self.events) { _ in
                changed()
            }
            if !watch.isFollowing {
                Output.warn(
                    "tocsin: no inotify instance is free; until an instance is free, changes of "
                        + "the folder are not seen. End programs that watch files.")
            }
            return watch
        } catch {
            throw ToolError.data(
                "The folder \(folder.quotedForMessage()) cannot be watched: \(error). "
                    + "Check the path.")
        }
    }

    func updateSchedule() async throws {
        // List the requests first. If an alarm fires after that, the list still has its request, so
        // the request is not added again.
        let pending = try await center.requests.pending(of: app)
        var environment = environment
        environment.now = ToolEnvironment.now()
        let content = try content(
            by: ICalendarImport(
                environment: environment, withoutAlarms: !onlyAlarms, source: folder))
        for error in content.errors { Output.warn(error.text) }
        let change = FolderChange(
            from: pending, to: content.items, of: content.events, unread: content.unread,
            folder: folder, in: environment)
        if !change.removed.isEmpty {
            try await center.requests.removePending(.identifiers(change.removed), of: app)
        }
        for identifier in change.removed { try report(identifier, false) }
        var run = ImportRun(to: center, by: ImportRules(app: app), in: environment)
        for item in change.added {
            do {
                try await run.importItem(item)
            } catch {
                let error = ToolError(error)
                guard error.status != .unreachable else { throw error }
                Output.warn(error.text)
                continue
            }
            try report(item.request.identifier, true)
        }
    }

    /// The content of all files, in order of the file names.
    ///
    /// Other users may write into the folder, so this follows no links and reads no pipes.
    private func content(by calendar: ICalendarImport) throws(ToolError) -> FolderContent {
        guard let names = Directory.names(in: folder)?.sorted() else {
            throw ToolError.data(
                "The folder \(folder.quotedForMessage()) cannot be read: "
                    + "\(String(cString: strerror(errno))). Check the path.")
        }
        var content = FolderContent()
        for name in names where name.lowercased().hasSuffix(".ics") && !name.hasPrefix(".") {
            let file = UserFile.read(
                folder + "/" + name, limit: Limits.calendar, followsLink: false)
            content.add(file, named: name, by: calendar)
        }
        return content
    }
}

/// The requests that are made from the calendars of a folder; pure.
///
/// If several requests have the same identifier, only the last one stays, as in an import of one
/// file. If these requests differ, a warning names their files.
struct FolderContent {
    private(set) var items: [ImportItem] = []
    /// The errors about files and events that cannot be read.
    private(set) var errors: [ToolError] = []
    private(set) var unread = UnreadCalendars()
    /// The identifiers of all events that are neither cancelled nor completed.
    private(set) var events: Set<String> = []
    /// The index of each identifier's item, and the name of its file.
    private var places: [String: (index: Int, file: String)] = [:]
    /// The pairs of files that a warning has named.
    ///
    /// One warning for a pair is enough, because each date of an event may be a request.
    private var warned: Set<[String]> = []

    /// Adds the content of a file; the source of `calendar` is the folder.
    mutating func add(
        _ content: UserFile.Content, named name: String, by calendar: ICalendarImport
    ) {
        switch content {
        case .missing: return
        case .unusable(let reason):
            leaveOut(name, of: calendar.source, reason, "Put a readable file there")
        case .bytes(let bytes):
            let reading = calendar.read(ICalendarLine.text(of: bytes))
            guard reading.isWhole else {
                leaveOut(
                    name, of: calendar.source,
                    "it is no whole calendar from BEGIN:VCALENDAR to END:VCALENDAR", "Complete it")
                return
            }
            for item in reading.items { add(item, of: name) }
            errors += reading.errors
            unread.events.formUnion(reading.unread)
            events.formUnion(reading.events)
        }
    }

    private mutating func add(_ item: ImportItem, of name: String) {
        var item = item
        item.request.content.userInfo[ICalendarImport.fileName] = .string(name)
        let identifier = item.request.identifier
        guard let (index, file) = places[identifier] else {
            places[identifier] = (items.count, name)
            items.append(item)
            return
        }
        places[identifier] = (index, name)
        var former = items[index]
        former.request.content.userInfo[ICalendarImport.fileName] = .string(name)
        items[index] = item
        guard former != item, warned.insert([file, name]).inserted else { return }
        let files =
            file == name
            ? "\(name.quotedForMessage()) has"
            : "\(file.quotedForMessage()) and \(name.quotedForMessage()) have"
        errors.append(
            ToolError.data(
                "\(identifier.quotedForMessage()): \(files) different events with this identifier, "
                    + "and the last one counts. Give one of them a UID of its own, or delete it."))
    }

    private mutating func leaveOut(
        _ name: String, of folder: String, _ reason: String, _ remedy: String
    ) {
        unread.files.insert(name)
        let file = "\(folder)/\(name)".quotedForMessage()
        errors.append(
            ToolError.data(
                "\(file) is left out: \(reason). Its notifications stay as they are. \(remedy), or "
                    + "delete it."))
    }
}

/// The files and events of a followed folder that cannot be read; their requests stay; pure.
struct UnreadCalendars: Hashable {
    /// The names of files that cannot be read.
    var files: Set<String> = []
    /// The identifiers of events that cannot be imported.
    var events: Set<String> = []

    /// Whether a request comes from a file that cannot be read.
    func hasFile(of request: NotificationRequest) -> Bool {
        guard case .string(let name) = request.content.userInfo[ICalendarImport.fileName] else {
            return false
        }
        return files.contains(name)
    }
}

extension NotificationRequest {
    /// Whether the request comes from one of these events of a calendar.
    ///
    /// The identifier of a request begins with that of its event. The number of the alarm and the
    /// date may follow: `event#2@2026-11-24`.
    fileprivate func comes(from events: Set<String>) -> Bool {
        func prefix(_ text: String, before mark: Character) -> String? {
            text.lastIndex(of: mark).map { String(text[..<$0]) }
        }
        let names = [identifier] + [prefix(identifier, before: "@")].compactMap(\.self)
        let shorter = names.compactMap { prefix($0, before: "#") }
        return (names + shorter).contains(where: events.contains)
    }
}

/// The changes that make the schedule equal to a folder.
struct FolderChange: Hashable {
    var added: [ImportItem] = []
    var removed: [String] = []

    /// Compares the pending requests with the items of all files that can be read.
    ///
    /// `events` has the identifiers of the events in these files that are neither cancelled nor
    /// completed. The items have the dates after `environment.now`.
    init(
        from pending: [PendingNotification], to items: [ImportItem], of events: Set<String> = [],
        unread: UnreadCalendars = UnreadCalendars(), folder: String, in environment: ToolEnvironment
    ) {
        let now = environment.now
        let forecast = FireDateForecast(environment: environment)
        let own = pending.filter {
            $0.request.content.userInfo[ICalendarImport.mark] == .string(folder)
        }
        let known = Dictionary(own.map { ($0.request.identifier, $0) }) { $1 }
        added = items.filter { item in
            guard let present = known[item.request.identifier] else { return true }
            // Keep the request of an unreadable file, even if another file has the same event.
            if unread.hasFile(of: present.request) { return false }
            let (old, new) = (Self.withoutAge(present.request), Self.withoutAge(item.request))
            guard old != new, Self.withoutCount(old) == Self.withoutCount(new) else {
                return old != new
            }
            // The rules differ only in their counts. Two causes are no change of the file: the user
            // skipped a date, which the item still counts; or a date is due, which the request
            // still counts.
            let first = forecast.first(of: new.trigger, after: now)
            let isSkipped = present.nextFire ?? now > first ?? .latest
            return !Self.isOpen(present, now: now) && !isSkipped
        }
        let wanted = Set(items.map(\.request.identifier))
        removed = own.filter { pending in
            let request = pending.request
            let isKept =
                wanted.contains(request.identifier) || unread.hasFile(of: request)
                || request.comes(from: unread.events)
            return !isKept && !(Self.isOpen(pending, now: now) && request.comes(from: events))
        }.map(\.request.identifier)
    }

    /// Whether a request is due or snoozed, so that no item of the folder has its date.
    private static func isOpen(_ pending: PendingNotification, now: Instant) -> Bool {
        // Only a snooze gives a request an interval trigger; no event becomes an interval.
        if case .interval = pending.request.trigger { return true }
        return pending.regular != nil || pending.nextFire ?? .latest <= now
    }

    /// Removes the creation time, because a new creation time alone is no change.
    private static func withoutAge(_ request: NotificationRequest) -> NotificationRequest {
        var request = request
        request.content.userInfo[RequestTag.created] = nil
        return request
    }

    /// Removes the number of dates of a rule.
    private static func withoutCount(_ request: NotificationRequest) -> NotificationRequest {
        var request = request
        if case .rule(var rule) = request.trigger {
            rule.count = nil
            request.trigger = .rule(rule)
        }
        return request
    }
}
