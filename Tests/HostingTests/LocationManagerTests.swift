import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// An app with a `CLLocationManager` in a separate process, and a daemon that asks the user.
@Suite(.timeLimit(.minutes(5))) struct LocationManagerTests {
    /// A session with a daemon, a system bus, and the app.
    private struct Stage {
        let bus: PrivateBus
        let system: PrivateBus
        let server: ScriptedServer
        let center: HostedService

        static func run(_ body: (Stage) async throws -> Void) async throws {
            let (bus, system) = (try PrivateBus(), try PrivateBus())
            try await BusRecorder.recording(bus) {
                let server = try await ScriptedServer.start(on: bus)
                let center = try await HostedService.start(
                    .daemon, on: bus, adding: ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue])
                try await body(Stage(bus: bus, system: system, server: server, center: center))
                await center.stop()
                await server.stop()
            }
        }

        func app(
            _ arguments: String..., system: String? = nil
        ) throws -> RunningProgram {
            try RunningProgram(
                try HostedService.program("NearTheShop"), arguments,
                environment: bus.environment.merging([
                    "DBUS_SYSTEM_BUS_ADDRESS": system ?? self.system.address.rawValue
                ]) { $1 })
        }

        /// Answers the question about the location with the button at `index`.
        func answer(_ index: Int) async throws {
            let question = try await server.calls.wait(for: "the question") { !$0.isEmpty }[0]
            #expect(question.summary == "NearTheShop would like to use your location")
            try await server.click(question.id, question.actions[index].key)
        }
    }

    private func read(_ line: String, _ app: RunningProgram, count: Int = 1) async throws {
        try await app.lines.wait(for: line) { $0.count { $0 == line } >= count }
    }

    /// With wrong arguments, the example must not watch its default place.
    @Test(arguments: [["--at", "1"], ["--at", "1", "x"], ["--at", "1", "2", "3"]])
    func `the example prints its usage and ends if its arguments are wrong`(
        arguments: [String]
    ) async throws {
        let bus = try PrivateBus()
        let app = try RunningProgram(
            try HostedService.program("NearTheShop"), arguments, environment: bus.environment)
        #expect(try await app.exit() == 64)
        #expect(app.said.hasPrefix("usage: NearTheShop"), "\(app.said)")
    }

    @Test func `an app that may use the location gets places and crossings`() async throws {
        try await Stage.run { stage in
            let geoClue = try await ScriptedGeoClue.start(on: stage.system)
            let app = try stage.app()
            try await read("permission 0", app)
            #expect(geoClue.calls.all.isEmpty, "GeoClue gets no call before the user's answer")
            try await stage.answer(0)
            try await read("permission 4", app)
            try await read("watching shop", app)
            try await geoClue.calls.wait(for: "a client") {
                $0.contains("Start org.tocsin.Tocsin 8 0 0")
            }
            try await geoClue.move(to: 52.51, -13.25, age: 90)
            try await read("state 2", app)
            try await read("place 52.51 -13.25", app)
            try await geoClue.move(to: 52.5, -13.25, age: 40)
            try await read("entered shop", app)
            try await geoClue.move(to: 52.51, -13.25, age: 0)
            try await geoClue.turn(on: false)
            try await read("permission 2", app)
            try await read("no place: 1", app)
            try await geoClue.turn(on: true)
            try await read("permission 4", app, count: 2)
            await app.stop()
            #expect(
                !app.lines.all.contains("left shop"),
                "the crossing is unknown while the location is off")
            await geoClue.stop()
        }
    }

    @Test func `an app that the user denies gets a failure, and is not asked again`() async throws {
        try await Stage.run { stage in
            let geoClue = try await ScriptedGeoClue.start(on: stage.system)
            let app = try stage.app()
            try await stage.answer(1)
            try await read("permission 2", app)
            try await read("no place: 1", app)
            try await read("not watching: 4", app)
            await app.stop()
            let again = try stage.app("once")
            try await read("permission 2", again)
            try await read("no place: 1", again)
            #expect(stage.server.calls.all.count == 1)
            #expect(geoClue.calls.all.isEmpty)
            await geoClue.stop()
        }
    }

    @Test func `if GeoClue's agent refuses, the app's permission is denied`() async throws {
        try await Stage.run { stage in
            let geoClue = try await ScriptedGeoClue.start(on: stage.system, isAllowed: false)
            let app = try stage.app("once")
            try await stage.answer(0)
            try await read("permission 4", app)
            try await read("permission 2", app)
            try await read("no place: 1", app)
            await geoClue.stop()
        }
    }

    @Test(arguments: [nil, "unix:path=/nonexistent/bus"])
    func `without GeoClue or a system bus, the user is not asked about the location`(
        _ system: String?
    ) async throws {
        try await Stage.run { stage in
            let app = try stage.app("once", system: system)
            try await read("permission 2", app)
            try await read("no place: 1", app)
            #expect(stage.server.calls.all.isEmpty)
        }
    }

    @Test(
        .enabled(if: RealGeoClue.obstacle == nil, "\(RealGeoClue.obstacle ?? "")"))
    func `with the real GeoClue, an app gets its place and enters a region`() async throws {
        try await Stage.run { stage in
            let geoClue = try await RealGeoClue.start(on: stage.system)
            let app = try stage.app()
            try await stage.answer(0)
            try await read("watching shop", app)
            try await geoClue.connected()
            try await geoClue.move(to: 52.51, -13.25, age: 90)
            try await read("state 2", app)
            try await geoClue.move(to: 52.5, -13.25, age: 40)
            try await read("entered shop", app)
            #expect(app.lines.all.count { $0.hasPrefix("place 52.5") } >= 2)
            await app.stop()
            await geoClue.stop()
        }
    }
}
