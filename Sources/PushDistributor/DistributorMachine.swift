/// Decides about the registrations of a distributor and the delivery of its messages; pure.
///
/// It owns the registrations, the messages that apps have not taken yet, and its place in the stream
/// of each server. It promises that this place moves past a message only after its app took the
/// message, or after the last attempt; so a crash or a lost network repeats messages and loses none.
/// It never reads a message.
package struct DistributorMachine {
    /// An effect for the distributor to perform, in order.
    package enum Effect: Hashable, Sendable {
        /// Write the state to the disk.
        case save
        /// Tell the app its endpoint.
        case sendEndpoint(DistributorState.Registration)
        /// Tell the app that its registration has ended.
        case sendUnregistered(DistributorState.Registration)
        /// Pass a message to its app, after a pause.
        case deliver(NtfyMessage, DistributorState.Registration, attempt: Int, after: Duration)
        /// Open the stream of a server, in place of an open one, after a pause.
        case connect(server: String, topics: [String], since: String, after: Duration)
        /// Close the stream of a server.
        case disconnect(server: String)
    }

    /// The most attempts to pass a message to its app.
    package static let attempts = 4
    /// The most messages of a server that wait for their apps; the stream is closed meanwhile.
    package static let window = 256
    private static let (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(300))

    /// The messages of one server that their apps have not taken, in the order of the stream.
    private struct Stream {
        var open: [(id: String, isDone: Bool)] = []
        var failures = 0
        var isPaused = false
    }

    package private(set) var state: DistributorState
    private var streams: [String: Stream] = [:]

    package init(_ state: DistributorState) { self.state = state }

    /// Opens the streams of all servers after a start.
    package mutating func start() -> [Effect] {
        Set(state.registrations.values.map(\.server)).sorted().map { connect($0) }
    }

    // MARK: Registrations

    /// Registers an app; with a known token, it keeps its endpoint.
    ///
    /// `topic` is a new random name and `now` the time in seconds since 1970; only a new
    /// registration needs them.
    package mutating func register(
        service: String, token: String, version: Int, server: String, topic: String, now: Int64
    ) -> [Effect] {
        if var known = state.registrations[token] {
            let isSame = known.service == service && known.version == version
            (known.service, known.version) = (service, version)
            state.registrations[token] = known
            return (isSame ? [] : [.save]) + [.sendEndpoint(known)]
        }
        let registration = DistributorState.Registration(
            service: service, token: token, version: version, server: server, topic: topic)
        state.registrations[token] = registration
        if state.since[server] == nil { state.since[server] = "\(now)" }
        return [.save, .sendEndpoint(registration), connect(server)]
    }

    /// Ends a registration; an unknown token has no effect.
    package mutating func unregister(_ token: String) -> [Effect] {
        guard let registration = state.registrations.removeValue(forKey: token) else { return [] }
        let server = registration.server
        let isLast = !state.registrations.values.contains { $0.server == server }
        if isLast {
            state.since[server] = nil
            streams[server] = nil
        }
        return [
            .save, .sendUnregistered(registration),
            isLast ? .disconnect(server: server) : connect(server),
        ]
    }

    // MARK: Messages

    package mutating func received(_ event: NtfyEvent, from server: String) -> [Effect] {
        guard streams[server] != nil else { return [] }
        switch event {
        case .opened, .keepalive:
            streams[server]?.failures = 0
            return []
        case .message(let message):
            return received(message, from: server)
        }
    }

    private mutating func received(_ message: NtfyMessage, from server: String) -> [Effect] {
        // The stream begins again with messages that are still on their way.
        guard var stream = streams[server], !stream.isPaused,
            !stream.open.contains(where: { $0.id == message.id })
        else { return [] }
        stream.failures = 0
        defer { streams[server] = stream }
        let registration = state.registrations.values.first {
            $0.server == server && $0.topic == message.topic
        }
        guard let registration else {
            // The app ended its registration meanwhile.
            stream.open.append((message.id, true))
            return advancePlace(&stream, of: server)
        }
        stream.open.append((message.id, false))
        var effects = [
            Effect.deliver(message, registration, attempt: 1, after: .zero)
        ]
        if stream.open.count >= Self.window {
            stream.isPaused = true
            effects.append(.disconnect(server: server))
        }
        return effects
    }

    /// Notes the result of a delivery; another attempt follows a temporary failure.
    package mutating func delivered(
        _ message: NtfyMessage, to registration: DistributorState.Registration, attempt: Int,
        isTaken: Bool
    ) -> [Effect] {
        let server = registration.server
        guard var stream = streams[server],
            let place = stream.open.firstIndex(where: { $0.id == message.id })
        else { return [] }
        if !isTaken, attempt < Self.attempts, state.registrations[registration.token] != nil {
            return [
                .deliver(
                    message, registration, attempt: attempt + 1,
                    after: Self.pause(afterFailures: attempt * 2))
            ]
        }
        stream.open[place].isDone = true
        var effects = advancePlace(&stream, of: server)
        if stream.isPaused, stream.open.isEmpty {
            stream.isPaused = false
            streams[server] = stream
            effects.append(connect(server))
        } else {
            streams[server] = stream
        }
        return effects
    }

    /// Moves the place in a stream behind the messages whose apps took them, without a gap.
    private mutating func advancePlace(_ stream: inout Stream, of server: String) -> [Effect] {
        let done = stream.open.prefix { $0.isDone }
        guard let last = done.last else { return [] }
        stream.open.removeFirst(done.count)
        state.since[server] = last.id
        return [.save]
    }

    // MARK: Streams

    /// Opens a lost stream again after a pause that grows with each failure.
    package mutating func streamEnded(_ server: String) -> [Effect] {
        guard let stream = streams[server], !stream.isPaused else { return [] }
        streams[server]?.failures += 1
        return [connect(server, after: Self.pause(afterFailures: stream.failures))]
    }

    private mutating func connect(_ server: String, after pause: Duration = .zero) -> Effect {
        if streams[server] == nil { streams[server] = Stream() }
        let topics = state.registrations.values.filter { $0.server == server }.map(\.topic)
        return .connect(
            server: server, topics: topics.sorted(), since: state.since[server] ?? "all",
            after: pause)
    }

    private static func pause(afterFailures failures: Int) -> Duration {
        var pause = firstPause
        for _ in 0..<max(0, failures) where pause < longestPause { pause *= 2 }
        return min(pause, longestPause)
    }
}
