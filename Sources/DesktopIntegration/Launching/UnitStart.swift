internal import DesktopBus
internal import Reactor

/// Starts a transient unit and finds out whether its program really runs.
///
/// The reply to the call only means that systemd has queued a job. The program counts as running if
/// the job succeeds and the program does not fail within the next half second. The outcome does not
/// wait for the end of a running program.
///
/// Source: org.freedesktop.systemd1(5), `JobRemoved`, `Subscribe`, `ActiveState`.
struct UnitStart: Sendable {
    enum Outcome: Hashable, Sendable {
        /// The program runs, has already done its work, or its state is unknown.
        case started
        /// systemd rejected the unit, or never got the call; nothing was started.
        case refused
        /// The program did not start, or failed at once.
        case failed(String)
    }

    enum Event: Sendable {
        case jobEnded(String)
        case state(active: String?, status: Int32?)
        case jobTimedOut
        case probationEnded
    }

    private static let manager: InterfaceName = "org.freedesktop.systemd1.Manager"
    private static let service: BusName = "org.freedesktop.systemd1"

    let connection: BusConnection
    let unit: TransientUnit
    /// How long systemd's job may take; after that the program counts as started.
    var timeout = Duration.seconds(10)
    /// A program that fails within this time counts as not started.
    var probation = Duration.milliseconds(500)

    func outcome() async -> Outcome {
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        guard let subscriptions = try? await subscriptions(source) else { return .refused }
        defer { for subscription in subscriptions { subscription.cancel() } }
        // The manager signals states only to subscribers. An error is ignored: the manager rejects
        // a second `Subscribe` of one connection, but the first `Subscribe` stays valid.
        _ = try? await connection.call(TransientUnit.managerCall("Subscribe"))
        do throws(BusError) {
            _ = try await connection.call(unit.call)
        } catch {
            switch error.code {
            // systemd may have received the call, so the unit may be running.
            case .timedOut, .noReply, .disconnected: return .started
            // An older systemd rejects properties that it does not know, and starts nothing.
            default: return .refused
            }
        }
        wait(timeout, for: .jobTimedOut, source)
        var progress = UnitProgress(name: unit.name)
        for await event in events {
            switch progress.step(after: event) {
            case .goOn: break
            case .beginProbation: wait(probation, for: .probationEnded, source)
            case .end(let outcome): return outcome
            }
        }
        return .started
    }

    private func wait(
        _ duration: Duration, for event: Event, _ source: AsyncStream<Event>.Continuation
    ) {
        connection.reactor.perform(after: duration) { source.yield(event) }
    }

    private func subscriptions(
        _ source: AsyncStream<Event>.Continuation
    ) async throws(BusError) -> [BusSubscription] {
        let name = unit.name
        let jobs = try await connection.subscribe(
            MatchRule(
                sender: Self.service, path: "/org/freedesktop/systemd1", interface: Self.manager,
                member: "JobRemoved")
        ) { signal in
            guard signal.arguments.count == 4, signal.arguments[2].stringValue == name else {
                return
            }
            source.yield(.jobEnded(signal.arguments[3].stringValue ?? ""))
        }
        let states = try await connection.subscribe(
            MatchRule(
                sender: Self.service, path: unit.path,
                interface: .properties, member: "PropertiesChanged")
        ) { signal in
            guard signal.arguments.count == 3, let values = signal.arguments[1].vardictValue else {
                return
            }
            let status = values["ExecMainStatus"]?.unwrapped.int32Value
            let active = values["ActiveState"]?.unwrapped.stringValue
            source.yield(.state(active: active, status: status))
        }
        return [jobs, states]
    }
}

/// Decides the outcome of a unit's start from the manager's signals; pure.
struct UnitProgress: Sendable {
    enum Step: Hashable {
        case goOn
        /// The job has succeeded, and the program may still fail at once.
        case beginProbation
        case end(UnitStart.Outcome)
    }

    let name: String
    private var status: Int32?
    private var isOnProbation = false

    init(name: String) {
        self.name = name
    }

    mutating func step(after event: UnitStart.Event) -> Step {
        switch event {
        case .jobEnded("done"):
            isOnProbation = true
            return .beginProbation
        case .jobEnded(let result): return .end(.failed(reason(result)))
        case .state(let active, let code):
            status = code ?? status
            if active == "failed" { return .end(.failed(reason("failed"))) }
            return active == "inactive" ? .end(.started) : .goOn
        // If the job ended just before this timeout, the program still has its whole probation.
        case .jobTimedOut: return isOnProbation ? .goOn : .end(.started)
        case .probationEnded: return .end(.started)
        }
    }

    /// The text that says why the unit failed.
    ///
    /// Source: systemd.exec(5), "Process Exit Codes": systemd itself uses the codes above 199.
    private func reason(_ result: String) -> String {
        let code = status.map { "status \($0)" }
        let hint = status == 203 ? ": systemd could not run the program" : ""
        let details = [result == "failed" ? nil : result, code].compactMap(\.self)
            .joined(separator: ", ")
        return "its unit \(name) failed" + (details.isEmpty ? "" : " (\(details)\(hint))")
    }
}
