internal import DesktopBus
internal import NotificationModel

// Remote notifications, and what service extensions make of them.
extension ServiceExporter {
    func push(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let options = try KeyedValues(arguments[2], of: "the options")
            let headers = PushHeaders(
                collapseIdentifier: try options.string("collapseIdentifier"),
                priority: try PushHeaders.priority(try options.integer("priority")),
                expiration: try options.instant("expiration"))
            let identifier = try await self.service.push(
                arguments[1].bytesValue ?? [], headers: headers,
                for: try Self.optionalApp(arguments))
            return [.string(identifier ?? "")]
        }
    }

    func finishExtension(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            try await self.service.finishExtension(
                ExtensionToken(rawValue: arguments[1].uint64Value ?? 0),
                of: try Self.app(arguments),
                with: try await self.extended(arguments, of: invocation.sender))
            return []
        }
    }

    private func extended(
        _ arguments: [BusValue], of sender: BusName
    ) async throws(NotificationError) -> ExtendedContent? {
        let values = try KeyedValues(arguments[2], of: "the content")
        guard !values.isEmpty else { return nil }
        let content = bounded(try NotificationContent.record.value(of: values), of: sender)
        return ExtendedContent(
            content: content,
            attachments: try await files(arguments[3], of: content.attachments, from: sender))
    }
}
