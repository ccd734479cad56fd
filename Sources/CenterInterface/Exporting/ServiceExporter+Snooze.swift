internal import DesktopBus
internal import NotificationModel

extension ServiceExporter {
    /// Serves `Snooze`.
    func snooze(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let date = try await self.service.snooze(
                arguments[1].stringValue ?? "", of: try Self.app(arguments),
                for: arguments[2].doubleValue ?? 0)
            return [.int64(date.microseconds)]
        }
    }
}
