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
            try await self.attend(sender)
            let session = try await self.service.watch(app) { [weak self, reactor = self.reactor] in
                let signal = ChangeCoding.encode($0)
                // Through the reactor's queue, which keeps the order of the events.
                reactor.perform { [weak self] in
                    self?.assumeIsolated { exporter in
                        guard exporter.senders[sender] != nil else { return }
                        exporter.emit(signal.member, signal.arguments, to: sender)
                    }
                }
            }
            guard self.senders[sender] != nil else {
                await self.service.unwatch(session)
                return []
            }
            let former = self.senders[sender]?.watch
            self.senders[sender]?.watch = session
            if let former { await self.service.unwatch(former) }
            return []
        }
    }

    /// Serves `Unwatch`.
    func unwatch(_ invocation: MethodInvocation) async throws(BusError) -> [BusValue] {
        let sender = invocation.sender
        return try await serve(invocation) { _ async throws(NotificationError) in
            guard let session = self.senders[sender]?.watch else { return [] }
            self.senders[sender]?.watch = nil
            self.dropIfUnused(sender)
            await self.service.unwatch(session)
            return []
        }
    }
}
