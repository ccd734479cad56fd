import DesktopBus
import NotificationModel
import Reactor
import TestSupport
import Testing

@testable import Freedesktop
@testable import NotificationEngine

/// A report of a presenter, in a form that can be compared.
enum Report: Hashable {
    case available
    case unavailable
    case outcome(UInt64, PresentationOutcome)
    case response(String, NotificationResponse.Action, token: String?)
    case dismissed(String, isCertain: Bool = true)
    case expired(String)
    case openSettings(String)
    case sound(String, SoundRequest)
    case lost(Set<String>)
    case unheard(Set<String>, onlyTypedReplies: Bool)
    /// The server asked for a later post.
    case delayed(UInt64)

    /// Makes a report; nil for events that the tests do not compare.
    ///
    /// The stage records the identification of a server separately.
    init?(_ event: PresenterEvent) {
        switch event {
        case .serverMissing, .serverIdentified, .ready, .roomMade,
            .outcome(_, .later(.identifying)):
            return nil
        case .outcome(let token, .later): self = .delayed(token)
        case .available: self = .available
        case .unavailable: self = .unavailable
        case .lost(let keys): self = .lost(Set(keys.map(\.identifier)))
        case .unheard(let keys, let onlyTypedReplies):
            self = .unheard(Set(keys.map(\.identifier)), onlyTypedReplies: onlyTypedReplies)
        case .outcome(let token, let outcome): self = .outcome(token, outcome)
        case .response(let key, let action, let token):
            self = .response(key.identifier, action, token: token)
        case .dismissed(let key, let isCertain):
            self = .dismissed(key.identifier, isCertain: isCertain)
        case .expired(let key): self = .expired(key.identifier)
        case .openSettings(let key, _): self = .openSettings(key.identifier)
        case .sound(let app, let request): self = .sound(app.rawValue, request)
        }
    }

    /// Whether the report is about a user's action or the end of a popup.
    var isAboutPopup: Bool {
        switch self {
        case .response, .dismissed, .expired, .openSettings: true
        case .available, .unavailable, .outcome, .sound, .delayed, .lost, .unheard: false
        }
    }
}

/// A presenter on a private bus, and all its reports.
final class Stage: Sendable {
    let bus: PrivateBus
    let connection: BusConnection
    let presenter: FreedesktopPresenter
    let posts: QueuedPosts
    let reports = Recording<Report>()
    /// One value for each identified server: true if it keeps a list.
    let meetings = Recording<Bool>()
    private let signals = Recording<String>()
    private let subscription: BusSubscription

    /// Opens the connection; `raise()` makes the presenter listen.
    init(
        on bus: PrivateBus, language: WordingLanguage = .english,
        timeouts: ServerTimeouts = ServerTimeouts(), options: BusConnectionOptions = .init(),
        session: [String: String] = [:], pace: Double = 1
    ) async throws {
        self.bus = bus
        connection = try await BusConnection.open(on: bus, name: "presenter", options: options)
        presenter = FreedesktopPresenter(
            connection: connection, language: language, timeouts: timeouts,
            session: { session })
        presenter.onReactor { $0.startupIDs = StartupIDs(process: 7) { 4_294_967_295 } }
        posts = QueuedPosts(of: presenter, on: connection.reactor, pace: pace)
        let signals = signals
        // The presenter shares this connection, so it has received every signal recorded here.
        subscription = try await connection.subscribe(
            MatchRule(interface: NotificationServer.interface)
        ) { signals.append($0.arguments.last?.stringValue ?? $0.member.rawValue) }
    }

    /// Returns a started presenter that has identified the server, if there is one.
    static func raised(
        on bus: PrivateBus, language: WordingLanguage = .english,
        timeouts: ServerTimeouts = ServerTimeouts(), options: BusConnectionOptions = .init(),
        session: [String: String] = [:], pace: Double = 1
    ) async throws -> Stage {
        let stage = try await Stage(
            on: bus, language: language, timeouts: timeouts, options: options, session: session,
            pace: pace)
        await stage.raise()
        try await stage.reports.first(1)
        return stage
    }

    func raise() async {
        await presenter.start { [reports, meetings, posts] event in
            if case .serverIdentified(let isPersistent, _, _) = event {
                meetings.append(isPersistent)
            }
            // Update the queue first: a test that sees the report expects an updated queue.
            let unsent = posts.heard(event)
            if let report = Report(event) { reports.append(report) }
            for token in unsent { reports.append(.outcome(token, .unavailable)) }
        }
    }

    /// Presents notifications of these identifiers with tokens counted from `token`.
    func present(_ identifiers: String..., from token: UInt64 = 1) async throws {
        let presentations = try identifiers.enumerated().map {
            try Samples.presentation($1, token: token + UInt64($0), category: Samples.category)
        }
        posts.add(presentations)
    }

    /// Withdraws popups; returns when the presenter has withdrawn them.
    func withdraw(_ identifiers: String...) async throws {
        presenter.withdraw(try identifiers.map { try Samples.key($0) })
        _ = await presenter.popupKeys
    }

    /// Closes the popup of a removed notification; returns when the presenter has closed it.
    func closePopup(_ identifier: String) async throws {
        presenter.closePopups(of: [try Samples.key(identifier)])
        _ = await presenter.popupKeys
    }

    /// Waits for the outcome of a presentation.
    @discardableResult
    func outcome(
        of token: UInt64, within seconds: Int = 60
    ) async throws -> PresentationOutcome {
        let report = try await reports.first("the outcome of \(token)", within: seconds) {
            if case .outcome(token, _) = $0 { true } else { false }
        }
        guard case .outcome(_, let outcome) = report else { throw HarnessError("not an outcome") }
        return outcome
    }

    /// Waits until the server shows a presentation, and returns the id of the popup.
    @discardableResult
    func shown(_ token: UInt64) async throws -> UInt32 {
        guard case .presented(let popup) = try await outcome(of: token) else {
            throw HarnessError("\(token) was not shown: \(reports.all)")
        }
        return popup.id
    }

    func wait(for report: Report) async throws {
        try await reports.first("\(report)") { $0 == report }
    }

    /// Waits until this report has come this many times.
    func wait(for report: Report, times: Int) async throws {
        try await reports.wait(for: "\(times) × \(report)") {
            $0.count { $0 == report } >= times
        }
    }

    /// Waits until the presenter has received a signal with this text.
    func passed(_ text: String) async throws {
        try await signals.first("a signal with \(text)") { $0 == text }
    }

    /// The reports of users' actions and of ends of popups, in order.
    var popupReports: [Report] { reports.all.filter(\.isAboutPopup) }
}

/// Gives a presenter its posts through the delivery queue, as the engine does.
final class QueuedPosts: Sendable {
    private struct State {
        var queue = DeliveryQueue()
        var effects = SerialDrain<EngineEffect>()
    }

    private let presenter: FreedesktopPresenter
    private let reactor: Reactor
    private let state = Locked(State())
    private let start = ContinuousClock.now
    /// The pauses of the queue end this many times faster than in real time.
    private let pace: Double

    init(of presenter: FreedesktopPresenter, on reactor: Reactor, pace: Double) {
        self.presenter = presenter
        self.reactor = reactor
        self.pace = pace
    }

    func add(_ presentations: [Presentation]) {
        perform { $0.add(presentations.map { ($0, PostNeeds()) }) }
    }

    /// Removes the unsent post of a key from the queue, and withdraws the sent posts.
    func withdraw(_ key: NotificationKey) {
        perform { $0.remove(Set([$0.unsent(key)].compactMap(\.self))) }
        presenter.withdraw([key])
    }

    /// Handles an event; returns the tokens of the posts that a departed server did not get.
    func heard(_ event: PresenterEvent) -> [UInt64] {
        switch event {
        case .unavailable: return state.withLock { $0.queue.serverGone() }
        case .outcome(let token, .later(let delay)): delayed(token, by: delay)
        case .outcome(let token, _): perform { $0.postEnded(token) }
        case .ready(let isCareful): perform { $0.serverReady(isCareful: isCareful) }
        case .roomMade: perform { $0.roomMade() }
        default: break
        }
        return []
    }

    private func delayed(_ token: UInt64, by delay: PostDelay) {
        let now = now()
        perform { $0.postDelayed(token, by: delay, now: now) ?? [] }
        guard let end = state.withLock({ $0.queue.deadline }) else { return }
        let pause = Double(end - now.boot) / pace
        reactor.deadline(after: .microseconds(pause + 1)) { [self] in
            let now = self.now()
            perform { $0.endPauses(now: now) }
        }
    }

    private func now() -> ClockReading {
        ClockReading(
            wall: Instant(microseconds: 0),
            boot: Int64(start.duration(to: .now) / .microseconds(1) * pace), bootID: "",
            timeZone: "UTC")
    }

    private func perform(_ decide: (inout DeliveryQueue) -> [EngineEffect]) {
        let begins = state.withLock { state in
            state.effects.waiting += decide(&state.queue)
            return state.effects.startDraining()
        }
        guard begins else { return }
        while let effect = state.withLock({ $0.effects.next() }) {
            switch effect {
            case .present(let presentations):
                for presentation in presentations { presenter.post([presentation]) }
            case .closeOldest: presenter.closeOldest()
            default: break
            }
        }
    }
}
