internal import DesktopBus
internal import Reactor

/// Starts a transient unit and finds out whether its program really runs.
///
/// The call's answer only says that systemd has a job. The job's end says whether the program could
/// be run, and the moments after it whether it fails at once.
///
/// Source: org.freedesktop.systemd1(5), `JobRemoved`, `Subscribe`, `ActiveState`.
struct UnitStart: Sendable {
    enum Outcome: Hashable, Sendable {
        /// It runs, has done its work already, or nothing else is known.
        case started
        /// systemd does not start such a unit; nothing was started.
        case refused
        /// It did not start, or failed at once.
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
    /// How long a job may take before it counts as done.
    var patience = Duration.seconds(10)
    /// How long a program that fails counts as one that did not start.
    var probation = Duration.milliseconds(500)

    func outcome() async -> Outcome {
        let (events, source) = AsyncStream.makeStream(of: Event.self)
        guard let subscriptions = try? await subscriptions(source) else { return .refused }
        defer { for subscription in subscriptions { subscription.cancel() } }
        // Without it the manager says nothing of states; that we asked before is no fault.
        _ = try? await connection.call(TransientUnit.managerCall("Subscribe"))
        do throws(BusError) {
            _ = try await connection.call(unit.call)
        } catch {
            // Without an answer it may have been started; an older systemd refuses what it does not
            // know, and has started nothing.
            return error.code == .timedOut || error.code == .noReply ? .started : .refused
        }
        wait(patience, source)
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

    /// Source: systemd.exec(5), "Process Exit Codes": from 200 on they are systemd's own.
    private func reason(_ result: String, _ status: Int32?) -> String {
        let code = status.map { " with status \($0)" } ?? ""
        let hint = status == 203 ? ", which says that its program cannot be run" : ""
        return "its unit \(unit.name) ended at once (\(result))\(code)\(hint)"
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
