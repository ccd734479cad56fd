internal import CenterInterface
internal import DesktopBus
internal import NotificationModel
internal import Reactor

/// Waits for the answer to one notification; what answers others is left for them.
struct ResponseWait {
    private enum Event: Sendable {
        case response(NotificationResponse)
        /// The popup has gone by itself, and can be answered nowhere any more.
        case left
        case timedOut
        case busLost
    }

    private let center: CenterClient
    private let key: NotificationKey
    private let events: AsyncStream<Event>
    private let source: AsyncStream<Event>.Continuation

    /// Connects as the app, before the notification is sent.
    init(
        _ key: NotificationKey, as identity: ApplicationIdentity, at center: CenterClient
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
        await center.connection.onLoss { source.yield(.busLost) }
    }

    /// The answer; what comes of the notification after the limit, or after its server has closed
    /// it, reaches nobody, so it is taken away.
    func answer(within limit: Duration?) async throws -> WaitOutcome {
        if let limit { source.yield(.timedOut, after: limit, on: center.connection.reactor) }
        for await event in events {
            switch event {
            case .response(let response) where response.notification.key == key:
                try await center.service.acknowledge(response.id, of: key.app)
                return .response(response.action)
            case .response:
                continue
            case .timedOut, .left:
                try? await center.service.removeDelivered(
                    .identifiers([key.identifier]), of: key.app)
                return .timedOut
            case .busLost:
                throw ToolError.unreachable(
                    "The session bus was lost while waiting for an answer. Send the notification "
                        + "again in a running session.")
            }
        }
        return .timedOut
    }
}

extension AsyncStream.Continuation where Element: Sendable {
    /// Yields an element when this much time has passed.
    func yield(_ element: Element, after limit: Duration, on reactor: Reactor) {
        reactor.perform(after: limit) { self.yield(element) }
    }
}

extension BusConnection {
    /// Calls a handler when the bus has gone.
    func onLoss(_ handler: @escaping @Sendable () -> Void) {
        onStateChange { state in
            if case .disconnected = state { handler() }
        }
    }
}

/// How waiting for an answer ended.
enum WaitOutcome: Hashable {
    case response(NotificationResponse.Action)
    case timedOut

    /// The exit status that says it.
    var status: ToolStatus {
        switch self {
        case .response(.dismiss): .dismissed
        case .response: .done
        case .timedOut: .timedOut
        }
    }

    /// The text for people and scripts: the action's id, or the text that was sent.
    var text: String? {
        guard case .response(let action) = self, action != .dismiss else { return nil }
        return action.words.reply ?? action.words.action ?? action.words.outcome
    }

    /// The members that every answer has, one that did not come included.
    fileprivate static func members(
        _ outcome: String, _ action: String?, _ reply: String?
    ) -> [RecordEntry] {
        [.init("outcome", outcome), .init("action", action), .init("reply", reply)]
    }

    /// `{"id","outcome","action","reply"}`.
    func object(identifier: String) -> RecordValue {
        switch self {
        case .response(let action): .identifier(identifier, action.members)
        case .timedOut: .identifier(identifier, Self.members("timeout", nil, nil))
        }
    }
}

extension NotificationResponse.Action {
    /// The words of a response for programs: its outcome, the id of its button, the typed text.
    var words: (outcome: String, action: String?, reply: String?) {
        switch self {
        case .standard: ("default", nil, nil)
        case .dismiss: ("dismissed", nil, nil)
        case .custom(let action): ("action", action, nil)
        case .reply(let action, let text): ("reply", action, text)
        }
    }

    /// The same words as members of a JSON object.
    var members: [RecordEntry] { WaitOutcome.members(words.outcome, words.action, words.reply) }
}

/// Whether the user can type the text that a notification asks for.
enum ReplySupport {
    /// The programs that show a field where the server has none; each is a package of its name.
    private static let programs = ["zenity", "kdialog"]

    /// Why nobody can type one, and what to install; nil where a text can be typed, or where no
    /// server has told yet.
    ///
    /// The daemon shows the field; its session has the same programs, whatever display it has.
    static func problem(
        of server: PresenterStatus, in environment: ToolEnvironment
    ) -> String? {
        guard !programs.contains(where: environment.hasProgram) else { return nil }
        return problem(of: server, because: "neither zenity nor kdialog is installed")
    }

    /// The same where no notification centre is there that could show a field of its own.
    static func problemWithoutCentre(of server: PresenterStatus) -> String? {
        problem(
            of: server, because: "no notification centre is there to ask with zenity or kdialog")
    }

    /// Says that no reply can be typed; an error where somebody would wait for one.
    static func report(
        _ problem: String?, remedy: String = remedy, waits: Bool
    ) throws(ToolError) {
        guard let problem else { return }
        guard !waits else { throw ToolError.failure("\(problem) Nothing was sent. \(remedy)") }
        Output.warn("tocsin: \(problem) \(remedy)")
    }

    /// The remedy for the user.
    private static let remedy = "Install one of these packages, as in 'sudo apt install zenity'."

    /// For who pressed the button, and could not type.
    static func wasNotTyped() -> ToolError {
        ToolError.failure(
            "The button for a reply was pressed, and no reply could be typed: neither zenity nor "
                + "kdialog could be shown. Install one of them, and see 'tocsin doctor'.")
    }

    /// Nil for a server with a field.
    private static func problem(of server: PresenterStatus, because cause: String) -> String? {
        guard server.isAvailable, !server.name.isEmpty || !server.capabilities.isEmpty,
            !server.capabilities.contains("inline-reply")
        else { return nil }
        let name = server.name.isEmpty ? "" : " " + server.name.quotedForMessage()
        return "No reply can be typed here: the notification server\(name) has no field for it, "
            + "and \(cause)."
    }
}
