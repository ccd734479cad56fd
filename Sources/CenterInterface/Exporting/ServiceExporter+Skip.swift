internal import DesktopBus
internal import NotificationModel

extension ServiceExporter {
    /// Serves `Skip`.
    func skip(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let dates = try await self.service.skip(
                arguments[1].stringValue ?? "", of: try Self.app(arguments))
            return [SkippedOccurrence.record.busValue(of: dates)]
        }
    }
}
