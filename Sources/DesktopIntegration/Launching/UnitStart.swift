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

    private enum Event: Sendable {
        case jobEnded(String)
        case state(active: String?, status: Int32?)
        case timeIsOver
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
        // The manager signals states only to subscribers. It rejects a second `Subscribe` of one
        // connection, which is harmless.
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
        wait(timeout, source)
        return await follow(events, source)
    }

    private func follow(
        _ events: AsyncStream<Event>, _ source: AsyncStream<Event>.Continuation
    ) async -> Outcome {
        var status: Int32?
        for await event in events {
            switch event {
            case .jobEnded("done"): wait(probation, source)
            case .jobEnded(let result): return .failed(reason(result, status))
            case .state(let active, let code):
                status = code ?? status
                if active == "failed" { return .failed(reason("failed", status)) }
                if active == "inactive" { return .started }
            case .timeIsOver: return .started
            }
        }
        return .started
    }

    /// Source: systemd.exec(5), "Process Exit Codes": codes from 200 on are systemd's own.
    private func reason(_ result: String, _ status: Int32?) -> String {
        let code = status.map { "status \($0)" }
        let hint = status == 203 ? ": systemd could not run the program" : ""
        let details = [result == "failed" ? nil : result, code].compactMap(\.self)
            .joined(separator: ", ")
        return "its unit \(unit.name) failed" + (details.isEmpty ? "" : " (\(details)\(hint))")
    }

    private func wait(_ duration: Duration, _ source: AsyncStream<Event>.Continuation) {
        connection.reactor.perform(after: duration) { source.yield(.timeIsOver) }
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
