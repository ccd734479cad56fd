import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite struct ResponseMachineTests {
    private let session = ServiceSession(rawValue: 1)
    private let other = ServiceSession(rawValue: 2)

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

    @Test func `an app hears once of a response, before it is stored`() {
        var machine = machine(session)
        #expect(machine.startStoring(response(1)) == [.deliver(session, response(1))])
        #expect(machine.stored(response(1)).isEmpty)
    }

    @Test func `a response that is acknowledged before it is stored need not be stored`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        #expect(!machine.isDone(1))
        machine.acknowledge(1, of: .tocsin)
        #expect(machine.isDone(1))
        #expect(machine.stored(response(1)).isEmpty, "nobody gets it again")
        #expect(!machine.isDone(1), "the machine has forgotten it")
    }

    @Test func `a response whose process ends before it is stored goes to the next process`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        #expect(machine.disconnect(session).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: other)
        #expect(machine.replay([], to: other).isEmpty)
        #expect(machine.stored(response(1)) == [.deliver(other, response(1))])
    }

    @Test func `a session that connects while a response is stored hears of it once`() {
        var machine = machine()
        #expect(machine.startStoring(response(1)).isEmpty)
        machine.connect(
            ResponseMachine.Session(app: .tocsin, asksBeforePresenting: false), as: session)
        #expect(machine.replay([response(1)], to: session) == [.deliver(session, response(1))])
        #expect(machine.stored(response(1)).isEmpty)
    }

    @Test func `a response to a removed notification is forgotten`() {
        var machine = machine(session)
        _ = machine.startStoring(response(1))
        machine.acknowledge(1, of: .tocsin)
        machine.abandon(1)
        #expect(!machine.isDone(1))
    }
}
