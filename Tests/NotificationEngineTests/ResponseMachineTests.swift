import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite struct ResponseMachineTests {
    private let session = ServiceSession(rawValue: 1)
    private let other = ServiceSession(rawValue: 2)
    private let now = ClockReading.sample()

    private func machine(_ sessions: ServiceSession...) -> ResponseMachine {
        var machine = ResponseMachine()
        for session in sessions {
            machine.connect(
                ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: session)
            _ = machine.replay([], to: session)
        }
        return machine
    }

    private func response(_ id: Int64) -> NotificationResponse {
        NotificationResponse(
            id: id,
            notification: DeliveredNotification(
                app: .tocsin, request: .sample("r\(id)"), date: Instant(microseconds: 0)),
            action: .standard)
    }

    @Test func `an app gets a response once, before the response is stored`() {
        var machine = machine(session)
        #expect(machine.startStoring(response(1)) == [.send(session, .response(response(1)))])
        #expect(machine.stored(response(1)).isEmpty)
    }

    @Test func `a response that is acknowledged before it is stored need not be stored`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        #expect(!machine.isDone(1))
        machine.acknowledge(1, of: .tocsin)
        #expect(machine.isDone(1))
        #expect(machine.stored(response(1)).isEmpty, "no session gets the response again")
        #expect(!machine.isDone(1), "the machine has forgotten the response, so it is not done")
    }

    @Test func `a response whose process ends before it is stored goes to the next process`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        #expect(machine.disconnect(session).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: other)
        #expect(machine.replay([], to: other).isEmpty)
        #expect(machine.stored(response(1)) == [.send(other, .response(response(1)))])
    }

    @Test func `a session that connects while a response is stored gets the response once`() {
        var machine = machine()
        #expect(machine.startStoring(response(1)).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: session)
        #expect(
            machine.replay([response(1)], to: session)
                == [.send(session, .response(response(1)))])
        #expect(machine.stored(response(1)).isEmpty)
    }

    // MARK: Processes that handle no responses

    /// A machine whose newest session handles no responses, while its older sessions handle them.
    private func machine(
        _ sessions: ServiceSession..., andPassive passive: ServiceSession
    ) -> ResponseMachine {
        var machine = ResponseMachine()
        for session in sessions + [passive] {
            machine.connect(
                ResponseMachine.Session(
                    app: .tocsin, asksBeforePresenting: false,
                    handlesResponses: session != passive), as: session)
            _ = machine.replay([], to: session)
        }
        return machine
    }

    /// A helper process without a delegate would keep the user's click until the helper's end.
    @Test func `a newer process that handles no responses leaves them to an older process`() {
        var machine = machine(session, andPassive: other)
        #expect(machine.startStoring(response(1)) == [.send(session, .response(response(1)))])
        #expect(machine.setHandlesResponses(true, in: other).isEmpty)
        #expect(machine.startStoring(response(2)) == [.send(other, .response(response(2)))])
    }

    @Test func `a process gets the waiting responses once, in order, when it handles responses`() {
        var machine = machine(andPassive: session)
        #expect(machine.startStoring(response(2)).isEmpty)
        #expect(machine.stored(response(2)).isEmpty)
        #expect(machine.stored(response(1)).isEmpty)
        #expect(
            machine.setHandlesResponses(true, in: session)
                == [1, 2].map { .send(session, .response(response($0))) })
        #expect(machine.setHandlesResponses(true, in: session).isEmpty)
    }

    @Test func `the next process that handles responses gets each waiting response once`() {
        var machine = machine(andPassive: session)
        #expect(machine.replay([response(1)], to: session).isEmpty)
        #expect(machine.startStoring(response(2)).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: other)
        #expect(
            machine.replay([response(1)], to: other)
                == [1, 2].map { .send(other, .response(response($0))) })
        #expect(machine.stored(response(2)).isEmpty)
        #expect(machine.setHandlesResponses(true, in: session).isEmpty)
    }

    @Test func `an unacknowledged response waits for a process that handles responses`() {
        var machine = machine(session, andPassive: other)
        _ = machine.startStoring(response(1))
        #expect(machine.stored(response(1)).isEmpty)
        _ = machine.stored(response(2))
        #expect(machine.disconnect(session).isEmpty)
        machine.acknowledge(1, of: .tocsin)
        #expect(
            machine.setHandlesResponses(true, in: other)
                == [.send(other, .response(response(2)))])
    }

    /// The store has these responses, and may forget them before the app connects again.
    @Test func `when an app's last process ends, the machine forgets the waiting responses`() {
        var machine = machine(andPassive: session)
        _ = machine.stored(response(1))
        #expect(machine.disconnect(session).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: other)
        #expect(machine.replay([], to: other).isEmpty)
    }

    @Test func `a session that waits for a notification gets the response without a delegate`() {
        var machine = machine(andPassive: session)
        machine.connect(Self.waiting(for: ["r1"]), as: other)
        #expect(machine.startStoring(response(2)).isEmpty)
        #expect(machine.replay([response(1)], to: other).count == 1)
        #expect(machine.disconnect(other).isEmpty)
        #expect(machine.setHandlesResponses(true, in: session).count == 2)
    }

    // MARK: Acknowledgements

    @Test func `a response to a removed notification is forgotten`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        machine.acknowledge(1, of: .tocsin)
        machine.abandon(1)
        #expect(!machine.isDone(1))
    }

    @Test(arguments: [("asks", true), ("does not", false), ("", false), ("unknown", false)])
    func `an app gets a dismissal only if the category asks for dismissals`(
        category: String, isWanted: Bool
    ) {
        var state = EngineState(schedule: .sample)
        state.change(.tocsin) {
            $0.categories = [
                "asks": NotificationCategory(identifier: "asks", options: .customDismissAction),
                "does not": NotificationCategory(identifier: "does not"),
            ]
        }
        var dismissal = response(1)
        dismissal.action = .dismiss
        dismissal.notification.request = .sample("r1", category: category)
        #expect(state.respond(dismissal).0.isWanted == isWanted)
    }

    @Test(arguments: [true, false])
    func `a connected app gets a response at once, unless the engine is embedded in the app`(
        isEmbedded: Bool
    ) {
        var state = EngineState(schedule: .sample, isEmbedded: isEmbedded)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([], to: session)
        let (pending, effects) = state.respond(response(1))
        let delivery = [EngineEffect.send(session, .response(response(1)))]
        #expect(effects == (isEmbedded ? [] : delivery))
        let stored = state.responseStored(pending, response(1), now: .sample())
        #expect(stored == (isEmbedded ? delivery : []))
    }

    // MARK: Sessions

    @Test
    func `a response goes only to the newest session of its app`() throws {
        var state = EngineState(schedule: .sample)
        let older = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([], to: older)
        let stranger = state.connect(
            .sample(try ApplicationID("org.example.Other")), asksBeforePresenting: false)
        let newer = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([], to: newer)
        #expect(state.responses.stored(response(1)) == [.send(newer, .response(response(1)))])
        _ = state.disconnect(newer, now: now)
        _ = state.disconnect(stranger, now: now)
        #expect(state.responses.stored(response(2)) == [.send(older, .response(response(2)))])
        _ = state.disconnect(older, now: now)
        #expect(
            state.responses.stored(response(3)).isEmpty,
            "without a session the response stays in the store")
    }

    @Test
    func `a session gets stored responses first, then newer responses, in order and each once`() {
        var state = EngineState(schedule: .sample)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        #expect(state.responses.stored(response(3)).isEmpty)
        #expect(state.responses.stored(response(2)).isEmpty)
        let effects = state.responses.replay([response(1), response(2)], to: session)
        #expect(effects == [1, 2, 3].map { .send(session, .response(response($0))) })
    }

    @Test
    func `a response that another process is handling is not replayed`() {
        var state = EngineState(schedule: .sample)
        let first = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([response(1)], to: first)
        let second = state.connect(.sample(), asksBeforePresenting: false)
        #expect(
            state.responses.replay([response(1), response(2)], to: second) == [
                .send(second, .response(response(2)))
            ])
    }

    /// The first process has handled the response, so the new process must not get it again.
    @Test
    func `a response that is acknowledged while the store is read is not replayed`() {
        var state = EngineState(schedule: .sample)
        let first = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([response(1)], to: first)
        let second = state.connect(.sample(), asksBeforePresenting: false)
        state.responses.acknowledge(1, of: .tocsin)
        #expect(
            state.responses.replay([response(1), response(2)], to: second) == [
                .send(second, .response(response(2)))
            ])
    }

    @Test
    func `when a session ends, another session gets the unacknowledged responses`() {
        var state = EngineState(schedule: .sample)
        let older = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([], to: older)
        let newer = state.connect(.sample(), asksBeforePresenting: false)
        _ = state.responses.replay([response(1), response(2)], to: newer)
        state.responses.acknowledge(1, of: .tocsin)
        #expect(state.disconnect(newer, now: now) == [.send(older, .response(response(2)))])
    }

    private static func waiting(for identifiers: Set<String>) -> ResponseMachine.Session {
        ResponseMachine.Session(
            app: .tocsin, asksBeforePresenting: false, identifiers: identifiers)
    }

    @Test func `a notification is awaited until the last waiting session ends`() throws {
        var machine = ResponseMachine()
        machine.connect(Self.waiting(for: ["a", "b"]), as: session)
        machine.connect(Self.waiting(for: ["b", "c"]), as: other)
        machine.connect(
            ResponseMachine.Session(
                app: try ApplicationID("org.example.Other"), asksBeforePresenting: false,
                identifiers: ["d"]),
            as: ServiceSession(rawValue: 3))
        func awaited() -> [String] {
            machine.awaitedKeys(of: .tocsin).map(\.identifier).sorted()
        }
        #expect(awaited() == ["a", "b", "c"])
        _ = machine.disconnect(session)
        #expect(awaited() == ["b", "c"])
        _ = machine.disconnect(other)
        #expect(awaited().isEmpty)
    }

    /// With such a search, an app with many waits could freeze the daemon by a few removals.
    @Test(.timeLimit(.minutes(1)))
    func `a removal does not search the thousands of waits of an app`() {
        var machine = ResponseMachine()
        let (sessions, each) = (Limits.sessions.most, Limits.awaited.most)
        for number in 0..<sessions {
            let identifiers = Set((0..<each).map { "\(number) \($0)" })
            machine.connect(
                Self.waiting(for: identifiers), as: ServiceSession(rawValue: UInt64(number)))
        }
        let last = NotificationKey(app: .tocsin, identifier: "\(sessions - 1) \(each - 1)")
        for _ in 0..<20_000 {
            guard machine.awaitedKeys(of: .tocsin).contains(last) else {
                Issue.record("\(last) is not awaited")
                return
            }
        }
        #expect(machine.awaitedKeys(of: .tocsin).count == sessions * each)
    }
}
