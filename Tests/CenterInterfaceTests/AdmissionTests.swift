import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// The service looks up a caller's rights once, and forgets them with its connection.
@Suite struct AdmissionTests {
    private let person = CallerRights(scope: .person)

    /// The bus run in which a sender's next call looks up its rights; nil if it does not.
    private func run(ofLookUpIn admission: inout Admission, _ sender: BusName) -> Int? {
        guard case .lookUp(let run) = admission.ask(sender) else { return nil }
        return run
    }

    @Test func `one call finds out who the sender is, and the others wait`() throws {
        var admission = Admission()
        #expect(run(ofLookUpIn: &admission, ":1.1") == 0)
        guard case .wait(let promise) = admission.ask(":1.1") else {
            Issue.record("the second call does not wait")
            return
        }
        let waiting = admission.answer(":1.1", person, run: 0)
        #expect(waiting.count == 1)
        #expect(waiting.first === promise)
        guard case .known(person) = admission.ask(":1.1") else {
            Issue.record("the third call does not know")
            return
        }
        admission.forget(":1.1")
        #expect(run(ofLookUpIn: &admission, ":1.1") == 0)
    }

    @Test func `a new bus gives the names to others`() {
        var admission = Admission()
        _ = admission.answer(":1.1", person, run: 0)
        #expect(run(ofLookUpIn: &admission, ":1.2") == 0)
        #expect(admission.forgetAll().isEmpty)
        #expect(admission.answer(":1.2", person, run: 0).isEmpty)
        #expect(admission.known(":1.2") == nil, "it was found out about the bus before")
        #expect(run(ofLookUpIn: &admission, ":1.1") == 1)
    }

    @Test func `forgotten connections make room`() throws {
        var admission = Admission()
        for number in 0...1_024 {
            _ = admission.answer(try BusName(":1.\(number)"), person, run: 0)
        }
        #expect(admission.known(":1.0") == nil)
        #expect(admission.known(":1.1") == person)
    }

    @Test func `a connection is identified once and anew after it left`() async throws {
        let looks = Recording<BusName>()
        let center = try await RemoteServiceTests.Center(on: PrivateBus()) { sender in
            looks.append(sender)
            return CallerRights(scope: .person)
        }
        let connection = try await BusConnection.open(on: center.bus, name: "client")
        let client = RemoteService(connection: connection, launcher: nil)
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            _ in
        }
        _ = try await client.pending(of: .tocsin)
        _ = try await client.status()
        #expect(looks.all.count == 1)
        let name = try #require(looks.all.first)
        #expect(await center.exporter.admission.known(name) != nil)
        await connection.close()
        try await center.service.inputs(of: Members.disconnect) { !$0.isEmpty }
        #expect(await center.exporter.admission.known(name) == nil)
    }
}
