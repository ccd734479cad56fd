import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A request that waits for a region passes through every layer and never fires.
@Suite(.timeLimit(.minutes(5))) struct RegionTests {
    private static let waiting = NotificationRequest(
        identifier: "there", content: NotificationContent(title: "Milk", body: "The shop is near."),
        trigger: .region(
            NotificationRegion(
                identifier: "shop", latitude: 52.5, longitude: -13.25, radius: 150, onExit: false),
            repeats: true))

    @Test(arguments: Hosting.allCases)
    func `a region request is listed unchanged and without a date`(_ hosting: Hosting) async throws
    {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.service.add(Self.waiting, attachments: [], for: harness.app)
            let pending = try await harness.service.pending(of: harness.app)
            #expect(pending.map(\.request) == [Self.waiting])
            #expect(pending.map(\.nextFire) == [nil])
        }
    }

    @Test func `the tool lists it as unmonitored`() async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let center = try await HostedService.start(.daemon, on: bus)
            try await center.service.add(Self.waiting, attachments: [], for: center.app)
            let tool = try HostedService.program("tocsin")
            let json = try await RunningProgram.run(
                tool, ["list", "--all-apps", "--json"], environment: bus.environment)
            #expect(
                json.contains(
                    #""nextFire":null,"repeats":true,"trigger":{"kind":"region","identifier":"shop","#
                        + #""latitude":52.5,"longitude":-13.25,"radius":150,"onEntry":true,"#
                        + #""onExit":false,"repeats":true,"monitored":false}}"#), "\(json)")
            let table = try await RunningProgram.run(
                tool, ["list", "--all-apps"], environment: bus.environment)
            #expect(table.contains("unmonitored"))
            #expect(table.contains("region shop"))
            await center.stop()
            await server.stop()
        }
    }
}
