import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// What a caller may do is found out once, and forgotten with its connection.
@Suite struct AdmissionTests {
    private let person = CallerRights(scope: .person)

    @Test func oneCallFindsOutAndTheOthersWait() {
        var admission = Admission()
        #expect(admission.ask(":1.1") == .lookUp(run: 0))
        #expect(admission.ask(":1.1") == .wait)
        #expect(admission.answer(":1.1", person, run: 0).isEmpty)
        #expect(admission.ask(":1.1") == .known(person))
        admission.forget(":1.1")
        #expect(admission.ask(":1.1") == .lookUp(run: 0))
    }

    @Test func aNewBusGivesTheNamesToOthers() {
        var admission = Admission()
        _ = admission.answer(":1.1", person, run: 0)
        #expect(admission.ask(":1.2") == .lookUp(run: 0))
        #expect(admission.forgetAll().isEmpty)
        #expect(admission.answer(":1.2", person, run: 0).isEmpty)
        #expect(admission.known(":1.2") == nil, "it was found out about the bus before")
        #expect(admission.ask(":1.1") == .lookUp(run: 1))
    }

    @Test func connectionsOfWhichNobodyHearsMakeRoom() throws {
        var admission = Admission()
        for number in 0...1_024 {
            _ = admission.answer(try BusName(":1.\(number)"), person, run: 0)
        }
        #expect(admission.known(":1.0") == nil)
        #expect(admission.known(":1.1") == person)
    }

    @Test func aConnectionIsLookedAtOnceAndAnewAfterItLeft() async throws {
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
        _ = await center.service.calls(with: .disconnect)
        #expect(await center.exporter.admission.known(name) == nil)
    }
}
