internal import DesktopBus
internal import NotificationModel

extension ServiceExporter {
    /// Serves `Records`.
    func records(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        try await serve(invocation) { arguments async throws(NotificationError) in
            let page = try await self.service.recordPage(
                ListCoding.query(arguments[1]), of: try Self.optionalApp(arguments))
            return ListCoding.encode(page, NotificationRecord.record) { _, _ in
                // Texts of records are cleaned before they are kept.
            }
        }
    }
}
