import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Requests that fire when the device enters or leaves a region; the tests move the device.
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

    /// A desktop with a scripted GeoClue on a private system bus.
    private struct Stage {
        let bus: PrivateBus
        let system: PrivateBus
        let server: ScriptedServer
        let geoClue: ScriptedGeoClue

        var variables: [String: String] {
            ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue]
        }

        func daemon() async throws -> RunningProgram {
            try await HostedService.startDaemon(on: bus, adding: variables)
        }

        func tocsin(_ arguments: String...) async throws -> String {
            try await RunningProgram.run(
                try HostedService.program("tocsin"), arguments,
                environment: bus.environment.merging(variables) { $1 })
        }

        /// Waits until the daemon has started its nth GeoClue client.
        func started(_ count: Int) async throws {
            try await geoClue.calls.wait(for: "start \(count)") {
                $0.count { $0.hasPrefix("Start") } >= count
            }
        }

        /// Moves the device along the meridian.
        ///
        /// Each place is reported as `age` seconds old, so that no test waits between two places.
        func move(along track: [(degrees: Double, age: Double)]) async throws {
            for place in track {
                try await geoClue.move(to: 52.5 + place.degrees, -13.25, age: place.age)
            }
        }

        func post(_ count: Int) async throws -> NotifyCall {
            try await server.calls.wait(for: "post \(count)") { $0.count >= count }[count - 1]
        }
    }

    private static func run(_ body: @Sendable (Stage) async throws -> Void) async throws {
        let (bus, system) = (try PrivateBus(), try PrivateBus())
        try await BusRecorder.recording(bus) {
            let stage = Stage(
                bus: bus, system: system, server: try await ScriptedServer.start(on: bus),
                geoClue: try await ScriptedGeoClue.start(on: system))
            try await body(stage)
            await stage.geoClue.stop()
            await stage.server.stop()
        }
    }

    @Test
    func `a request fires on entry into its region after the program that added it has ended`()
        async throws
    {
        try await Self.run { stage in
            let daemon = try await stage.daemon()
            #expect(stage.geoClue.calls.all.isEmpty)
            let said = try await stage.tocsin(
                "schedule", "Milk", "--near", "52.5,-13.25", "--radius", "150", "--id", "milk")
            #expect(said.contains("milk: on entering 150 m around 52.5,-13.25"), "\(said)")
            try await stage.started(1)
            #expect(
                stage.geoClue.calls.all == ["GetClient", "Start org.tocsin.Tocsin 8 50 30"])
            try await stage.move(along: [(0.01, 100), (0, 60), (0, 10)])
            #expect(try await stage.post(1).summary == "Milk")
            try await stage.geoClue.calls.wait(for: "the end of the watch") {
                $0.contains("DeleteClient")
            }
            let left = try await stage.tocsin("list", "--json")
            #expect(!left.contains("milk"))
            await daemon.stop()
        }
    }

    @Test func `after a restart, the daemon knows whether the device was in the region`()
        async throws
    {
        try await Self.run { stage in
            var daemon = try await stage.daemon()
            let center = try await HostedService.attach(
                .daemon, on: stage.bus, adding: stage.variables)
            var request = Self.waiting
            request.trigger = .region(
                NotificationRegion(
                    identifier: "shop", latitude: 52.5, longitude: -13.25, radius: 150),
                repeats: true)
            try await center.service.add(request, attachments: [], for: center.app)
            try await stage.started(1)
            try await stage.move(along: [(0.01, 110), (0, 80), (0, 50)])
            _ = try await stage.post(1)
            try await center.settled { pending, delivered in
                delivered.count == 1 && pending.map(\.nextFire) == [nil]
            }
            await daemon.stop()
            // The device stays in the region during the daemon's restart, so the daemon must
            // report no entry.
            daemon = try await stage.daemon()
            try await stage.started(2)
            try await stage.move(along: [(0, 49), (0, 48), (0.01, 25), (0.01, 1)])
            _ = try await stage.post(2)
            let after = try await HostedService.client(on: stage.bus)
            try await after.add(
                NotificationRequest(
                    identifier: "end", content: NotificationContent(title: "end")),
                attachments: [], for: center.app)
            #expect(try await stage.post(3).summary == "end", "one post for leaving, no other")
            await daemon.stop()
        }
    }

    @Test func `the tool lists a request's region, and whether the daemon watches the region`()
        async throws
    {
        try await Self.run { stage in
            let daemon = try await stage.daemon()
            let center = try await HostedService.attach(
                .daemon, on: stage.bus, adding: stage.variables)
            try await center.service.add(Self.waiting, attachments: [], for: center.app)
            let json = try await stage.tocsin("list", "--all-apps", "--json")
            #expect(
                json.contains(
                    #""nextFire":null,"repeats":true,"trigger":{"kind":"region","identifier":"shop","#
                        + #""latitude":52.5,"longitude":-13.25,"radius":150,"onEntry":true,"#
                        + #""onExit":false,"repeats":true,"monitored":true}}"#), "\(json)")
            let table = try await stage.tocsin("list", "--all-apps")
            #expect(table.contains("on entering  150 m around 52.5,-13.25"), "\(table)")
            let show = try await stage.tocsin("show", "there", "--app", center.app.rawValue)
            #expect(show.contains("each time on entering 150 m around 52.5,-13.25"), "\(show)")
            #expect(!show.contains("not watched"))
            #expect(try await stage.tocsin("doctor").contains("✓ Location"))
            await daemon.stop()
        }
    }

    @Test
    func `without GeoClue, a region request is kept, and the tool says what is missing`()
        async throws
    {
        let bus = try PrivateBus()
        let system = try PrivateBus()
        let variables = ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue]
        let server = try await ScriptedServer.start(on: bus)
        let center = try await HostedService.start(.daemon, on: bus, adding: variables)
        try await center.service.add(Self.waiting, attachments: [], for: center.app)
        let tool = try HostedService.program("tocsin")
        let environment = bus.environment.merging(variables) { $1 }
        let show = try await RunningProgram.run(
            tool, ["show", "there", "--app", center.app.rawValue], environment: environment)
        #expect(show.contains("not watched: there is no location service"), "\(show)")
        let doctor = try await RunningProgram.run(tool, ["doctor"], environment: environment)
        #expect(doctor.contains("! Location"), "\(doctor)")
        #expect(doctor.contains("Install GeoClue"))
        await center.stop()
        await server.stop()
    }
}
