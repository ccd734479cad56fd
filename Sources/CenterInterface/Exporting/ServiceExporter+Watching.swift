internal import DesktopBus
internal import NotificationModel
internal import Reactor

// Who hears of changes without being an app.
extension ServiceExporter {
    /// Serves `Watch`.
    func watch(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { arguments async throws(NotificationError) in
            let app = try Self.optionalApp(arguments)
            return try await self.changing(sender) { () async throws(NotificationError) in
                // Also where it fails: nothing is kept for a sender that has nothing.
                defer { self.dropIfUnused(sender) }
                try await self.attend(sender)
                try await self.watch(app, for: sender)
                return []
            }
        }
    }

    private func watch(
        _ app: ApplicationID?, for sender: BusName
    ) async throws(NotificationError) {
        let session = try await service.watch(app) { [weak self, reactor] in
            let signal = ChangeCoding.encode($0)
            // Through the reactor's queue, which keeps the order of the events.
            reactor.perform { [weak self] in
                self?.assumeIsolated { exporter in
                    guard exporter.senders[sender] != nil else { return }
                    exporter.emit(signal.member, signal.arguments, to: sender)
                }
            }
        }
        let former = senders[sender]?.watch
        senders[sender]?.watch = session
        if let former { try await service.unwatch(former) }
    }

    /// Serves `Unwatch`.
    func unwatch(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { _ async throws(NotificationError) in
            try await self.changing(sender) { () async throws(NotificationError) in
                guard let session = self.senders[sender]?.watch else { return [] }
                self.senders[sender]?.watch = nil
                self.dropIfUnused(sender)
                try await self.service.unwatch(session)
                return []
            }
        }
    }
}
