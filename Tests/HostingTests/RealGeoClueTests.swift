import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The daemon with the installed GeoClue; the test plays the GPS receiver that GeoClue reads.
@Suite(.timeLimit(.minutes(5))) struct RealGeoClueTests {
    @Test(
        .enabled(
            if: RealGeoClue.obstacle == nil, "\(RealGeoClue.obstacle ?? "")"))
    func `a request fires when the device enters the request's region`() async throws {
        let (bus, system) = (try PrivateBus(), try PrivateBus())
        try await BusRecorder.recording(system) {
            let server = try await ScriptedServer.start(on: bus)
            let geoClue = try await RealGeoClue.start(on: system)
            let center = try await HostedService.start(
                .daemon, on: bus, adding: ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue])
            let region = NotificationRegion(
                identifier: "shop", latitude: 52.5, longitude: -13.25, radius: 150, onExit: false)
            try await center.add("there", trigger: .region(region, repeats: false))
            #expect(try await center.service.status().location == .available)
            try await geoClue.connected()
            try await geoClue.move(to: 52.51, -13.25, age: 90)
            try await geoClue.move(to: 52.5, -13.25, age: 40)
            let posts = try await server.calls.wait(for: "the popup") { $0.count == 1 }
            #expect(posts[0].summary == "there")
            await center.stop()
            await geoClue.stop()
            await server.stop()
        }
    }
}
