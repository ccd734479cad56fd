package import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

extension ServiceExporter {
    /// The object on the bus.
    ///
    /// A read of a property uses the quota of the app or process that reads it.
    nonisolated var object: ExportedObject {
        ExportedObject(interfaces: [table]) { sender, _ in
            let owner = await self.rights(of: sender)?.quotaOwner ?? ""
            // The bus layer counts no calls for an empty owner, so give all unknown callers one
            // name and one quota.
            return owner.isEmpty ? "unknown" : owner
        }
    }

    /// The interface, equal to its XML in `dbus/`.
    package nonisolated var table: InterfaceTable {
        InterfaceTable(
            name: CenterName.interface, methods: Members.all.map { $0(self) },
            signals: Signals.entries,
            properties: [
                PropertyEntry(
                    "Version", "s", changeReport: .constant,
                    get: { .string(try await self.currentStatus().version) }),
                PropertyEntry(
                    "PendingCount", "u", changeReport: .none,
                    get: {
                        .uint32(UInt32(clamping: try await self.currentStatus().pendingCount))
                    }),
                PropertyEntry(
                    "Opening", "b", changeReport: .none, get: { await .bool(self.isOpening) }),
            ])
    }

    private func currentStatus() async throws(BusError) -> ServiceStatus {
        try await ready()
        do throws(NotificationError) {
            return try await service.status()
        } catch {
            throw error.busError
        }
    }

    // MARK: Requests with files

    func add(
        _ call: (app: ApplicationID, request: NotificationRequest, files: [BusDescriptor]),
        _ sender: BusName
    ) async throws(NotificationError) {
        var request = call.request
        try checkTrigger(of: request, from: sender)
        request.content = bounded(request.content, of: sender)
        let files = try await files(call.files, of: request.content.attachments, from: sender)
        try await service.add(request, attachments: files, for: call.app)
    }

    func addMany(
        _ call: (app: ApplicationID, requests: [AddedRequest], files: [BusDescriptor]),
        _ sender: BusName
    ) async throws(NotificationError) {
        for added in call.requests { try checkTrigger(of: added.request, from: sender) }
        var files = try await files(
            call.files, of: call.requests.flatMap(\.request.content.attachments), from: sender)[...]
        let items = call.requests.map { added in
            var request = added.request
            request.content = bounded(request.content, of: sender)
            let count = request.content.attachments.count
            defer { files = files.dropFirst(count) }
            return RequestWithFiles(
                request, files: Array(files.prefix(count)), nextFire: added.nextFire)
        }
        try await service.add(items, for: call.app)
    }

    func finishExtension(
        _ call: (
            app: ApplicationID, token: ExtensionToken, content: NotificationContent?,
            files: [BusDescriptor]
        ), _ sender: BusName
    ) async throws(NotificationError) {
        var extended: ExtendedContent?
        if let content = call.content.map({ bounded($0, of: sender) }) {
            extended = ExtendedContent(
                content: content,
                attachments: try await files(call.files, of: content.attachments, from: sender))
        }
        try await service.finishExtension(call.token, of: call.app, with: extended)
    }

    /// Opens a call's files on a separate thread, because their file system may hang.
    private func files(
        _ descriptors: [BusDescriptor], of attachments: [NotificationAttachment],
        from sender: BusName
    ) async throws(NotificationError) -> [OpenFile] {
        guard descriptors.count == attachments.count else {
            throw NotificationError(
                .invalidArgument,
                "There are \(attachments.count) attachments, and \(descriptors.count) files came "
                    + "with them. Send one descriptor for each attachment, in the same order.")
        }
        guard !attachments.isEmpty else { return [] }
        // Each app or process has one quota, however many connections it opens.
        return try await files.files(
            for: quotaOwner(of: sender),
            orThrow: NotificationError(
                .attachmentInvalid,
                "The attachments could not be opened: their file system does not answer. Copy them "
                    + "to a local disk first.")
        ) { () throws(NotificationError) in
            try Self.opened(descriptors, of: attachments)
        }
    }

    private nonisolated static func opened(
        _ descriptors: [BusDescriptor], of attachments: [NotificationAttachment]
    ) throws(NotificationError) -> [OpenFile] {
        try zip(descriptors, attachments).map { pair throws(NotificationError) in
            // The copy fails if no descriptor is free.
            let copy = pair.0.withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            guard copy >= 0 else {
                throw NotificationError(
                    .limitReached,
                    "The file of the attachment \(pair.1.path.quotedForMessage()) did not "
                        + "arrive: the notification centre has too many files open. Add the "
                        + "notification again in a moment, with fewer attachments.")
            }
            return try OpenFile(adopting: copy, name: pair.1.path)
        }
    }

    // MARK: Questions

    func decidePresentation(
        _ call: (token: PresentationToken, options: PresentationOptions), _ sender: BusName
    ) async throws(NotificationError) {
        // Ignore the answer of a connection that did not get the question.
        guard senders[sender]?.questions.remove(call.token) != nil else { return }
        try await service.answer(call.token, with: call.options)
    }
}
