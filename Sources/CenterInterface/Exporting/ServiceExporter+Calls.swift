internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

// The members of the interface that change and list notifications, in the table's order.
extension ServiceExporter {
    func add(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.app(arguments)
            var request = try RequestCoding.decode(arguments[1])
            request.content = self.bounded(request.content, of: invocation.sender)
            let files = try await self.files(
                arguments[2], of: request.content.attachments, from: invocation.sender)
            try await self.service.add(request, attachments: files, for: app)
            return []
        }
    }

    func addMany(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.app(arguments)
            let requests = try KeyedValues.list(arguments[1], of: "the requests").map {
                values throws(NotificationError) in
                var request = try NotificationRequest.record.value(of: values)
                request.content = self.bounded(request.content, of: invocation.sender)
                return request
            }
            var files = try await self.files(
                arguments[2], of: requests.flatMap(\.content.attachments),
                from: invocation.sender)[...]
            let items = requests.map { request in
                let count = request.content.attachments.count
                defer { files = files.dropFirst(count) }
                return RequestWithFiles(request, files: Array(files.prefix(count)))
            }
            try await self.service.add(items, for: app)
            return []
        }
    }

    func remove(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.removePending(
                Self.identifiers(arguments), of: try Self.app(arguments))
            return []
        }
    }

    func removeAll(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.removePending(.all, of: try Self.app(arguments))
            return []
        }
    }

    func pending(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let page = try await self.service.pendingPage(
                ListCoding.query(arguments[1]), of: try Self.optionalApp(arguments))
            return ListCoding.encode(page, PendingNotification.record) {
                self.leaveOut(NotificationKey(app: $0.app, identifier: $0.request.identifier), $1)
            }
        }
    }

    func delivered(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let page = try await self.service.deliveredPage(
                ListCoding.query(arguments[1]), of: try Self.optionalApp(arguments))
            return ListCoding.encode(page, DeliveredNotification.record) {
                self.leaveOut(NotificationKey(app: $0.app, identifier: $0.request.identifier), $1)
            }
        }
    }

    func removeDelivered(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.removeDelivered(
                Self.identifiers(arguments), of: try Self.app(arguments))
            return []
        }
    }

    func removeAllDelivered(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.removeDelivered(.all, of: try Self.app(arguments))
            return []
        }
    }

    func setCategories(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let list = try KeyedValues.list(arguments[1], of: "the categories")
            let categories = try list.map { values throws(NotificationError) in
                try NotificationCategory.record.value(of: values)
            }
            try await self.service.setCategories(categories, of: try Self.app(arguments))
            return []
        }
    }

    func categories(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.app(arguments)
            let list = try await self.service.categories(of: app)
            let page = ListPage(notifications: list, next: nil)
            let answer = ListCoding.encode(page, NotificationCategory.record) {
                self.leaveOut(NotificationKey(app: app, identifier: $0.identifier), $1)
            }
            return [answer[0]]
        }
    }

    func acknowledge(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.acknowledge(
                arguments[1].int64Value ?? 0, of: try Self.app(arguments))
            return []
        }
    }

    func answer(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let token = PresentationToken(rawValue: arguments[0].uint64Value ?? 0)
            // The answer of another connection would be one for another app.
            guard self.senders[invocation.sender]?.questions.remove(token) != nil else { return [] }
            try await self.service.answer(
                token, with: PresentationOptions(rawValue: UInt(arguments[1].uint32Value ?? 0)))
            return []
        }
    }

    func status(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { _ async throws(NotificationError) in
            [ServiceStatus.record.busValue(of: try await self.service.status())]
        }
    }

    // MARK: Properties

    func version() async throws(BusError) -> BusValue {
        .string(try await currentStatus().version)
    }

    func pendingCount() async throws(BusError) -> BusValue {
        .uint32(UInt32(clamping: try await currentStatus().pendingCount))
    }

    private func currentStatus() async throws(BusError) -> ServiceStatus {
        try await ready()
        do throws(NotificationError) {
            return try await service.status()
        } catch {
            throw error.busError
        }
    }

    // MARK: Arguments; their number and types are those of the table

    static func app(_ arguments: [BusValue]) throws(NotificationError) -> ApplicationID {
        try ApplicationID(arguments[0].stringValue ?? "")
    }

    static func optionalApp(
        _ arguments: [BusValue]
    ) throws(NotificationError) -> ApplicationID? {
        arguments[0].stringValue == "" ? nil : try app(arguments)
    }

    func waitUntilIdle(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.waitUntilIdle(
                try Self.app(arguments), includingPopups: arguments[1].boolValue ?? false)
            return []
        }
    }

    private static func identifiers(_ arguments: [BusValue]) -> NotificationSelection {
        .identifiers(arguments[1].stringsValue ?? [])
    }

    /// How long the look at the files of a call may take.
    private static let fileTimeout: Duration = .seconds(5)

    /// The files that came with a call, which may lie on a file system that hangs.
    func files(
        _ value: BusValue, of attachments: [NotificationAttachment], from sender: BusName
    ) async throws(NotificationError) -> [OpenFile] {
        let descriptors = (value.arrayValue ?? []).compactMap(\.descriptorValue)
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
        do throws(NotificationError) {
            return .success(try files(descriptors, of: attachments))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated static func files(
        _ descriptors: [BusDescriptor], of attachments: [NotificationAttachment]
    ) throws(NotificationError) -> [OpenFile] {
        return try zip(descriptors, attachments).map { pair throws(NotificationError) in
            // Here, or before when the message was read, there was no descriptor left.
            let copy = pair.0.withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            guard copy >= 0 else {
                throw NotificationError(
                    .limitReached,
                    "The file of the attachment \(pair.1.path.quotedForMessage()) did not arrive: "
                        + "the notification centre has too many files open. Add it again in a "
                        + "moment, and fewer at once.")
            }
            return try OpenFile(adopting: copy, name: pair.1.path)
        }
    }
}
