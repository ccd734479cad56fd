internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

// What each member does, in the order of `Members`.
extension ServiceExporter {
    /// The interface, equal to its XML in `dbus/`.
    nonisolated var table: InterfaceTable {
        InterfaceTable(
            name: CenterName.interface,
            methods: requests + delivered + permissions + answers,
            signals: Signals.entries,
            properties: [
                PropertyEntry(
                    "Version", "s", get: { .string(try await self.currentStatus().version) }),
                PropertyEntry(
                    "PendingCount", "u",
                    get: {
                        .uint32(UInt32(clamping: try await self.currentStatus().pendingCount))
                    }),
                PropertyEntry("Opening", "b", get: { await .bool(self.isOpening) }),
            ])
    }

    private nonisolated var requests: [MethodEntry] {
        [
            row(Members.connect) { try await self.connect($0, $1) },
            row(Members.disconnect) { try await self.disconnect($0, $1) },
            row(Members.add) { try await self.add($0, $1) },
            row(Members.addMany) { try await self.addMany($0, $1) },
            row(Members.push) { call, _ in
                try await self.service.push(call.1, headers: call.2, for: call.0)
            },
            row(Members.remove) { call, _ in
                try await self.service.removePending(.identifiers(call.1), of: call.0)
            },
            row(Members.removeAll) { app, _ in
                try await self.service.removePending(.all, of: app)
            },
            row(Members.pending, of: PendingNotification.record, key: { $0.key }) { call, _ in
                try await self.service.pendingPage(call.1, of: call.0)
            },
            row(Members.skip) { call, _ in try await self.service.skip(call.1, of: call.0) },
            row(Members.snooze) { call, _ in
                try await self.service.snooze(call.1, of: call.0, for: call.2)
            },
        ]
    }

    private nonisolated var delivered: [MethodEntry] {
        [
            row(Members.delivered, of: DeliveredNotification.record, key: { $0.key }) { call, _ in
                try await self.service.deliveredPage(call.1, of: call.0)
            },
            // Texts of records are cleaned before they are kept.
            row(Members.records, of: NotificationRecord.record, key: { _ in nil }) { call, _ in
                try await self.service.recordPage(call.1, of: call.0)
            },
            row(Members.removeDelivered) { call, _ in
                try await self.service.removeDelivered(.identifiers(call.1), of: call.0)
            },
            row(Members.removeAllDelivered) { app, _ in
                try await self.service.removeDelivered(.all, of: app)
            },
            row(Members.setCategories) { call, _ in
                try await self.service.setCategories(call.1, of: call.0)
            },
            row(Members.categoriesOfApp) { app, _ in
                let list = try await self.service.categories(of: app)
                return await self.carried(list, of: NotificationCategory.record) {
                    NotificationKey(app: app, identifier: $0.identifier)
                }
            },
        ]
    }

    private nonisolated var permissions: [MethodEntry] {
        [
            row(Members.requestAuthorization) { call, _ in
                try await self.service.requestAuthorization(call.1, for: call.0)
            },
            row(Members.settings) { app, _ in try await self.service.settings(of: app) },
            row(Members.permissions) { _, _ in try await self.service.permissions() },
            row(Members.decide) { call, _ in
                try await self.service.decide(call.1, for: call.0)
            },
            row(Members.setPreviews) { call, _ in
                try await self.service.setPreviews(call.1, of: call.0)
            },
            row(Members.openNotificationSettings) { app, _ in
                try await self.service.openNotificationSettings(of: app)
            },
            row(Members.setBadge) { call, _ in
                try await self.service.setBadge(call.1, of: call.0)
            },
        ]
    }

    private nonisolated var answers: [MethodEntry] {
        [
            row(Members.acknowledge) { call, _ in
                try await self.service.acknowledge(call.1, of: call.0)
            },
            row(Members.decidePresentation) { try await self.decidePresentation($0, $1) },
            row(Members.waitUntilIdle) { call, _ in
                try await self.service.waitUntilIdle(call.0, includingPopups: call.1)
            },
            row(Members.finishExtension) { try await self.finishExtension($0, $1) },
            row(Members.watch) { try await self.watch($0, $1) },
            row(Members.unwatch) { try await self.unwatch($1) },
            row(Members.status) { _, _ in try await self.service.status() },
        ]
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

    private func add(
        _ call: (app: ApplicationID, request: NotificationRequest, files: [BusDescriptor]),
        _ sender: BusName
    ) async throws(NotificationError) {
        var request = call.request
        request.content = bounded(request.content, of: sender)
        let files = try await files(call.files, of: request.content.attachments, from: sender)
        try await service.add(request, attachments: files, for: call.app)
    }

    private func addMany(
        _ call: (app: ApplicationID, requests: [NotificationRequest], files: [BusDescriptor]),
        _ sender: BusName
    ) async throws(NotificationError) {
        var files = try await files(
            call.files, of: call.requests.flatMap(\.content.attachments), from: sender)[...]
        let items = call.requests.map { request in
            var request = request
            request.content = bounded(request.content, of: sender)
            let count = request.content.attachments.count
            defer { files = files.dropFirst(count) }
            return RequestWithFiles(request, files: Array(files.prefix(count)))
        }
        try await service.add(items, for: call.app)
    }

    private func finishExtension(
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

    /// How long the look at the files of a call may take.
    private static let fileTimeout: Duration = .seconds(5)

    /// The files that came with a call, which may lie on a file system that hangs.
    private func files(
        _ descriptors: [BusDescriptor], of attachments: [NotificationAttachment],
        from sender: BusName
    ) async throws(NotificationError) -> [OpenFile] {
        guard descriptors.count == attachments.count else {
            throw NotificationError(
                .invalidArgument,
                "There are \(attachments.count) attachments, and \(descriptors.count) files came "
                    + "with them. Send one descriptor for each, in the same order.")
        }
        guard !attachments.isEmpty else { return [] }
        // By app or process: one that opens many connections has the same places for all of them.
        let owner = admission.known(sender)?.quotaOwner ?? ""
        let result = await files.result(
            for: owner.isEmpty ? sender.rawValue : owner, within: Self.fileTimeout
        ) {
            Self.opened(descriptors, of: attachments)
        }
        guard let result else {
            throw NotificationError(
                .attachmentInvalid,
                "The attachments could not be looked at: the file system that they lie on does not "
                    + "answer. Copy them to a local disk first.")
        }
        return try result.get()
    }

    private nonisolated static func opened(
        _ descriptors: [BusDescriptor], of attachments: [NotificationAttachment]
    ) -> Result<[OpenFile], NotificationError> {
        Result { () throws(NotificationError) in
            try zip(descriptors, attachments).map { pair throws(NotificationError) in
                // Here, or before when the message was read, there was no descriptor left.
                let copy = pair.0.withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 3) }
                guard copy >= 0 else {
                    throw NotificationError(
                        .limitReached,
                        "The file of the attachment \(pair.1.path.quotedForMessage()) did not "
                            + "arrive: the notification centre has too many files open. Add it "
                            + "again in a moment, and fewer at once.")
                }
                return try OpenFile(adopting: copy, name: pair.1.path)
            }
        }
    }

    // MARK: Questions

    private func decidePresentation(
        _ call: (token: PresentationToken, options: PresentationOptions), _ sender: BusName
    ) async throws(NotificationError) {
        // The answer of another connection would be one for another app.
        guard senders[sender]?.questions.remove(call.token) != nil else { return }
        try await service.answer(call.token, with: call.options)
    }
}
