package import NotificationModel

/// Decides about the registrations of a distributor and the delivery of its messages.
///
/// It only returns effects, which the distributor performs.
///
/// It owns the registrations, the messages that apps have not taken yet, and for each server a
/// `Place`: the time from which the distributor requests messages.
///
/// It moves this time past a message only when the app has taken the message, or when the last
/// attempt has failed. So a crash or a lost network loses no message. An app gets a message twice
/// only after a crash, or after a delivery that seemed to fail.
///
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
        /// Close a server's open stream, and open a new stream after a pause.
        case connect(server: String, topics: [String], since: String, after: Duration)
        /// Close the stream of a server.
        case disconnect(server: String)
    }

    /// The most attempts to pass a message to its app.
    package static let attempts = 4
    /// The most messages of a server that wait for their apps.
    ///
    /// When this many messages wait, the stream closes until apps have taken all of them, or their
    /// last attempts have failed.
    package static let window = 256
    /// If a server got this many streams in `openingTime`, a change of its topics waits.
    ///
    /// Without this limit, an app that registers repeatedly could use up the server's request
    /// limit.
    package static let mostOpenings = 10
    package static let openingTime = Duration.seconds(60)
    /// The most registrations of one service; `tocsind` registers all its apps as one service.
    package static let registrationsOfService = Limits.pushRegistrations.most / 2
    private static let (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(300))

    /// The connection to one server.
    private struct Stream {
        /// The messages that apps have not taken yet: the time of each message by its id.
        var open: [String: Int64] = [:]
        var failures = 0
        /// Whether the stream is closed until `open` is empty.
        ///
        /// The machine closes it for one of two reasons:
        ///
        /// - `window` messages wait.
        /// - An old message is still on its way, and the `Place` has too many ids of later
        ///   messages.
        var isPaused = false
    }

    package private(set) var state: DistributorState
    private var streams: [String: Stream] = [:]
    /// How many streams to each server were opened in the last `openingTime`.
    private var openings: [String: Int] = [:]
    /// The servers whose topics have changed since their stream was opened.
    private var outdated: Set<String> = []

    package init(_ state: DistributorState) { self.state = state }

    /// Opens the streams of all servers after a start.
    package mutating func start() -> [Effect] {
        Set(state.registrations.values.map(\.server)).sorted().flatMap { connect($0) }
    }

    // MARK: Registrations

    /// Checks that an app can register.
    ///
    /// The number of registrations is limited, because the URL of a stream contains the topics of
    /// all apps.
    ///
    /// - Throws: `limitReached` if the token is new, and this service or all services together have
    ///   too many registrations.
    package func checkRoom(
        for token: String, of service: String
    ) throws(NotificationError) {
        guard state.registrations[token] == nil else { return }
        try Limits.pushRegistrations.check(
            state.registrations.count + 1, of: "the push distributor")
        let own = state.registrations.values.count { $0.service == service }
        guard own < Self.registrationsOfService else {
            throw NotificationError(
                .limitReached,
                "\(service) has \(own) registrations already, and other services need some, too. "
                    + "End the registrations that are not used any more.")
        }
    }

    /// Whether a token is new, and no further registration is allowed.
    package func isFull(for token: String) -> Bool {
        state.registrations[token] == nil
            && state.registrations.count >= Limits.pushRegistrations.most
    }

    /// Registers an app; an app with a known token keeps its endpoint.
    ///
    /// Only a new registration uses `topic`, a new random name. The server has no old messages
    /// under this name, so a new `Place` can request all messages.
    package mutating func register(
        service: String, token: String, version: Int, server: String, topic: String
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
        if state.places[server] == nil { state.places[server] = .init() }
        return [.save, .sendEndpoint(registration)] + topicsChanged(at: server)
    }

    /// Ends a registration; an unknown token has no effect.
    package mutating func unregister(_ token: String) -> [Effect] {
        guard let registration = state.registrations.removeValue(forKey: token) else { return [] }
        return [.save, .sendUnregistered(registration)] + topicsChanged(at: registration.server)
    }

    /// Ends the registrations of services that nobody can call any more.
    ///
    /// `reachable` has the services that run or can be started. Any other service is an app that
    /// registers again at its next start, or a name without an installed app.
    package mutating func endRegistrations(except reachable: Set<String>) -> [Effect] {
        let ended = state.registrations.values.filter { !reachable.contains($0.service) }
        for registration in ended { state.registrations[registration.token] = nil }
        guard !ended.isEmpty else { return [] }
        return [.save] + ended.map { .sendUnregistered($0) }
            + Set(ended.map(\.server)).sorted().flatMap { topicsChanged(at: $0) }
    }

    // MARK: Messages

    package mutating func received(_ event: NtfyEvent, from server: String) -> [Effect] {
        guard let stream = streams[server] else { return [] }
        streams[server]?.failures = 0
        switch event {
        // An outdated stream lacks the messages of new topics, so its time must not move the
        // `Place`.
        case .keepalive(let now) where !outdated.contains(server):
            let isChanged = state.places[server]?.forgetTaken(
                now: now, oldest: stream.open.values.min())
            return isChanged == true ? [.save] : []
        case .message(let message): return received(message, from: server)
        case .opened, .keepalive: return []
        }
    }

    private mutating func received(_ message: NtfyMessage, from server: String) -> [Effect] {
        // A new stream repeats messages that apps have taken or that are still on their way.
        guard let stream = streams[server], !stream.isPaused, stream.open[message.id] == nil,
            state.places[server]?.taken[message.id] == nil
        else { return [] }
        let registration = state.registrations.values.first {
            $0.server == server && $0.topic == message.topic
        }
        // If no registration has this topic, the app has ended its registration since the stream
        // was opened.
        guard let registration else { return [] }
        streams[server]?.open[message.id] = message.time
        let delivery = Effect.deliver(message, registration, attempt: 1, after: .zero)
        guard stream.open.count + 1 >= Self.window else { return [delivery] }
        streams[server]?.isPaused = true
        return [delivery, .disconnect(server: server)]
    }

    /// Notes the result of a delivery; after a failure, another attempt follows, up to `attempts`.
    package mutating func delivered(
        _ message: NtfyMessage, to registration: DistributorState.Registration, attempt: Int,
        isTaken: Bool
    ) -> [Effect] {
        let server = registration.server
        guard streams[server]?.open[message.id] != nil else { return [] }
        if !isTaken, attempt < Self.attempts, state.registrations[registration.token] != nil {
            return [
                .deliver(
                    message, registration, attempt: attempt + 1,
                    after: Self.pause(afterFailures: attempt * 2))
            ]
        }
        streams[server]?.open[message.id] = nil
        let open = streams[server]?.open ?? [:]
        state.places[server]?.noteTaken(message, oldest: open.values.min())
        let isPaused = streams[server]?.isPaused == true
        if open.isEmpty {
            streams[server]?.isPaused = false
            return [.save] + (isPaused ? connect(server) : [])
        }
        guard !isPaused, state.places[server]?.isOverfull == true else { return [.save] }
        streams[server]?.isPaused = true
        return [.save, .disconnect(server: server)]
    }

    // MARK: Streams

    /// Opens a lost stream again after a pause that grows with each failure.
    package mutating func streamEnded(_ server: String) -> [Effect] {
        guard let stream = streams[server], !stream.isPaused else { return [] }
        streams[server]?.failures += 1
        return connect(server, after: Self.pause(afterFailures: stream.failures))
    }

    /// Stops counting a stream that was opened `openingTime` ago.
    ///
    /// If a change of topics waits for this server, opens a new stream.
    package mutating func openingExpired(_ server: String) -> [Effect] {
        openings[server] = openings[server].flatMap { $0 > 1 ? $0 - 1 : nil }
        return outdated.contains(server) ? connect(server) : []
    }

    /// Opens a new stream after a registration at a server has begun or ended.
    ///
    /// After the end of the last registration, closes the stream. If the change must wait, the open
    /// stream stays, so that the other apps get their messages.
    private mutating func topicsChanged(at server: String) -> [Effect] {
        guard state.registrations.values.contains(where: { $0.server == server }) else {
            state.places[server] = nil
            streams[server] = nil
            outdated.remove(server)
            return [.disconnect(server: server)]
        }
        outdated.insert(server)
        return openings[server, default: 0] < Self.mostOpenings ? connect(server) : []
    }

    /// Opens the stream of a server; a paused stream opens later.
    private mutating func connect(_ server: String, after pause: Duration = .zero) -> [Effect] {
        let stream = streams[server] ?? Stream()
        streams[server] = stream
        outdated.remove(server)
        guard !stream.isPaused else { return [] }
        openings[server, default: 0] += 1
        let topics = state.registrations.values.filter { $0.server == server }.map(\.topic)
        return [
            .connect(
                server: server, topics: topics.sorted(),
                since: state.places[server]?.since ?? "all", after: pause)
        ]
    }

    private static func pause(afterFailures failures: Int) -> Duration {
        var pause = firstPause
        for _ in 0..<max(0, failures) where pause < longestPause { pause *= 2 }
        return min(pause, longestPause)
    }
}
