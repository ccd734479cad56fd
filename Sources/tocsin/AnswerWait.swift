internal import CenterInterface
internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Waits for the answer to one notification; what answers others is left for them.
struct AnswerWait {
    private enum Event: Sendable {
        case response(NotificationResponse)
        /// The popup has gone by itself, and can be answered nowhere any more.
        case left
        case timedOut
        case busLost
    }

    private let center: Center
    private let key: NotificationKey
    private let events: AsyncStream<Event>
    private let source: AsyncStream<Event>.Continuation

    /// Connects as the app, before the notification is sent.
    init(
        _ key: NotificationKey, as identity: ApplicationIdentity, at center: Center
    ) async throws(NotificationError) {
        self.center = center
        self.key = key
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        self.source = source
        _ = try await center.service.connect(
            identity, asksBeforePresenting: false, identifiers: [key.identifier]
        ) { event in
            switch event {
            case .response(let response): source.yield(.response(response))
            case .left(key): source.yield(.left)
            default: break
            }
        }
        await center.connection.onStateChange { state in
            if case .disconnected = state { source.yield(.busLost) }
        }
    }

    /// The answer; what comes of the notification after the limit, or after its server has closed
    /// it, reaches nobody, so it is taken away.
    func answer(within limit: Duration?) async throws(ToolError) -> Answer {
        if let limit {
            let reactor = center.connection.reactor
            reactor.perform { [source] in
                reactor.deadline(after: limit) { source.yield(.timedOut) }
            }
        }
        for await event in events {
            switch event {
            case .response(let response) where response.notification.key == key:
                try await acknowledge(response)
                return .response(response.action)
            case .response:
                continue
            case .timedOut, .left:
                try? await center.service.removeDelivered(
                    .identifiers([key.identifier]), of: key.app)
                return .timedOut
            case .busLost:
                throw ToolError(
                    .unreachable,
                    "The session bus was lost while waiting for an answer. Send the notification "
                        + "again in a running session.")
            }
        }
        return .timedOut
    }

    private func acknowledge(_ response: NotificationResponse) async throws(ToolError) {
        do throws(NotificationError) {
            try await center.service.acknowledge(response.id, of: key.app)
        } catch {
            throw ToolError(error)
        }
    }
}
