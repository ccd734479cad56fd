internal import CenterInterface
internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// Waits for the response to one notification, and ignores responses to other notifications.
struct ResponseWait {
    private enum Event: Sendable {
        case response(NotificationResponse)
        /// The server closed or refused the popup, or a program removed the notification, so the
        /// user cannot answer it anywhere.
        case left
        case timedOut
        case interrupted(Int32)
        case busLost
    }

    /// The timeout of the removal after the wait.
    ///
    /// Without this timeout, a daemon that hangs would delay the end of this program by the
    /// timeouts of all calls.
    private static let removalTimeout: Duration = .seconds(3)

    private let center: CenterClient
    private let key: NotificationKey
    private let request: NotificationRequest
    private let events: AsyncStream<Event>
    private let source: AsyncStream<Event>.Continuation

    /// Connects as the app; the caller sends the notification after this.
    init(
        _ outgoing: OutgoingRequest, as identity: ApplicationIdentity, at center: CenterClient
    ) async throws(NotificationError) {
        let key = outgoing.key
        self.center = center
        self.key = key
        request = outgoing.request
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        self.source = source
        _ = try await center.service.connect(
            identity, asksBeforePresenting: false, identifiers: [key.identifier]
        ) { event in
            switch event {
            case .response(let response): source.yield(.response(response))
            case .popupLeft(key): source.yield(.left)
            default: break
            }
        }
        await center.connection.onLoss { source.yield(.busLost) }
    }

    /// Waits for the response, at most for the limit.
    ///
    /// If the limit passes or the server closes the popup first, this removes the notification,
    /// because nobody would wait for a later response. At the limit, it also removes a request that
    /// is pending: the server has not shown it yet, or the user has snoozed it.
    ///
    /// Ctrl-C, SIGTERM and the end of the terminal also remove both, and then end the process as
    /// usual.
    func answer(within limit: Duration?) async throws -> WaitOutcome {
        if let limit { source.yield(.timedOut, after: limit, on: center.connection.reactor) }
        var watch = source.watchSignals(on: center.connection.reactor, Event.interrupted)
        defer { withExtendedLifetime(watch) {} }
        for await event in events {
            switch event {
            case .response(let response) where isMeant(response.notification):
                await acknowledge(response)
                return .response(response.action)
            case .response:
                continue
            case .timedOut:
                await remove(isPending: true)
                return .timedOut
            case .left:
                await remove(isPending: false)
                return .timedOut
            case .interrupted(let number):
                await remove(isPending: true)
                // Without the watch, the signal ends the process as usual; a shell relies on that.
                watch = nil
                raise(number)
                return .timedOut
            case .busLost:
                throw ToolError.unreachable(
                    "The session bus was lost while waiting for an answer. Send the notification "
                        + "again in a running session.")
            }
        }
        return .timedOut
    }

    /// Reports the response as handled.
    ///
    /// A failure is only a warning, because the user has answered and will not answer again.
    private func acknowledge(_ response: NotificationResponse) async {
        do throws(NotificationError) {
            try await center.service.acknowledge(response.id, of: key.app)
        } catch {
            Output.warn("tocsin: the centre still keeps the answer as unhandled: \(error.message)")
        }
    }

    /// Removes the notification, and with `isPending` the pending request.
    ///
    /// If the centre does not answer in time, both may stay, and the wait ends all the same.
    private func remove(isPending: Bool) async {
        let removal = Task {
            // Remove the request first: it may become a notification at any time.
            if isPending { await removePending() }
            await removeDelivered()
        }
        center.connection.reactor.perform(after: Self.removalTimeout) { removal.cancel() }
        await removal.value
    }

    /// Removes the pending request if it is still the sent one.
    private func removePending() async {
        let pending = try? await center.requests.pending(
            of: key.app, identifiers: [key.identifier])
        guard let pending, pending.contains(where: { isSame($0.request) }) else { return }
        try? await center.requests.removePending(.identifiers([key.identifier]), of: key.app)
    }

    /// Removes the notification if it is still the sent one.
    ///
    /// Another program may have replaced it, and may wait for the response to the replacement.
    private func removeDelivered() async {
        let delivered = try? await center.delivered(
            of: key.app, identifiers: [key.identifier])
        guard let delivered, delivered.contains(where: { isSame($0.request) }) else { return }
        try? await center.service.removeDelivered(.identifiers([key.identifier]), of: key.app)
    }

    /// Whether a request is the sent one, possibly after a snooze.
    ///
    /// This ignores what may change: a snooze changes the trigger and the creation time, the centre
    /// changes the paths of attachments, and `CenterClient.send` changes `desktop`.
    private func isSame(_ present: NotificationRequest) -> Bool {
        func content(of request: NotificationRequest) -> NotificationContent {
            var content = request.content
            content.userInfo[RequestTag.created] = nil
            (content.attachments, content.desktop) = ([], nil)
            return content
        }
        return content(of: present) == content(of: request)
    }

    /// Whether a response to this notification ends the wait.
    ///
    /// An earlier notification with the same identifier may have an unhandled response, so the
    /// creation times are compared. A later time also counts, because a snooze sets a later time.
    private func isMeant(_ notification: DeliveredNotification) -> Bool {
        guard notification.key == key else { return false }
        guard let created = RequestTag.creation(of: notification.request),
            let own = RequestTag.creation(of: request)
        else { return true }
        return created >= own
    }
}

extension AsyncStream.Continuation where Element: Sendable {
    func yield(_ element: Element, after limit: Duration, on reactor: Reactor) {
        reactor.perform(after: limit) { self.yield(element) }
    }

    /// Yields an element for Ctrl-C, SIGTERM and SIGHUP, in place of their usual effect.
    ///
    /// The signals have their usual effect again when the result is released. The result is nil if
    /// no descriptor is free.
    func watchSignals(
        on reactor: Reactor, _ element: @escaping (Int32) -> Element
    ) -> SignalWatch? {
        let signals = TerminationSignals.numbers.filter { !SignalWatch.isIgnored($0) }
        return try? SignalWatch(signals, on: reactor) { number, _ in self.yield(element(number)) }
    }
}

extension BusConnection {
    func onLoss(_ handler: @escaping @Sendable () -> Void) {
        onStateChange { state in
            if case .disconnected = state { handler() }
        }
    }
}

enum WaitOutcome: Hashable {
    case response(NotificationResponse.Action)
    case timedOut

    var status: ToolStatus {
        switch self {
        case .response(.dismiss): .dismissed
        case .response: .done
        case .timedOut: .timedOut
        }
    }

    /// The text for users and scripts: the typed text, the action's id, or `default` for a click.
    var text: String? {
        guard case .response(let action) = self, action != .dismiss else { return nil }
        return action.words.reply ?? action.words.action ?? action.words.outcome
    }

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
    /// The words of a response for programs: the outcome, the id of the button, and the typed text.
    ///
    /// A reply without a typed text has the outcome of a plain button.
    var words: (outcome: String, action: String?, reply: String?) {
        switch self {
        case .standard: ("default", nil, nil)
        case .dismiss: ("dismissed", nil, nil)
        case .custom(let action), .reply(let action, text: nil): ("action", action, nil)
        case .reply(let action, let text): ("reply", action, text)
        }
    }

    var members: [RecordEntry] { WaitOutcome.members(words.outcome, words.action, words.reply) }
}

/// Whether the user can type the text that a notification asks for.
enum ReplySupport {
    /// The programs that show a text field in place of the server, and the names of their packages.
    private static let programs = ["zenity", "kdialog"]

    /// Why the user cannot type a reply; nil if the user can, or if no server has reported yet.
    ///
    /// The daemon shows the dialog, but this process searches its own `PATH` for the programs.
    static func problem(
        of server: PresenterStatus, in environment: ToolEnvironment
    ) -> String? {
        guard !programs.contains(where: environment.hasProgram) else { return nil }
        return problem(of: server, because: "neither zenity nor kdialog is installed")
    }

    /// Why the user cannot type a reply if no notification centre can show a dialog.
    static func problemWithoutCentre(of server: PresenterStatus) -> String? {
        problem(
            of: server,
            because: "no notification centre is running that can ask with zenity or kdialog")
    }

    /// Warns that no reply can be typed; throws instead if the caller waits for a reply.
    static func report(
        _ problem: String?, remedy: String = remedy, waits: Bool
    ) throws(ToolError) {
        guard let problem else { return }
        guard !waits else { throw ToolError.failure("\(problem) Nothing was sent. \(remedy)") }
        Output.warn("tocsin: \(problem) \(remedy)")
    }

    private static let remedy = "Install one of these packages, as in 'sudo apt install zenity'."

    static func wasNotTyped() -> ToolError {
        ToolError.failure(
            "The button for a reply was pressed, and no reply could be typed: neither zenity nor "
                + "kdialog could be shown. Install one of them, and see 'tocsin doctor'.")
    }

    private static func problem(of server: PresenterStatus, because cause: String) -> String? {
        guard server.isAvailable, !server.name.isEmpty || !server.capabilities.isEmpty,
            !server.capabilities.contains("inline-reply")
        else { return nil }
        let name = server.name.isEmpty ? "" : " " + server.name.quotedForMessage()
        return "No reply can be typed here: the notification server\(name) has no field for it, "
            + "and \(cause)."
    }
}
