import HostingSupport
import TestSupport
import Testing

/// `tocsin probe` as a person uses it: at a terminal, with the pointer on a real server.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ProbeOnRealServersTests {
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func theRowOfDunst() async throws {
        let row = try await probe(ServerCatalog.dunst, buttons: "m")
        #expect(
            row.contains(
                #""cells":{"#
                    + Self.cells(
                        [
                            ("name", "no"), ("icon", "yes"), ("image", "yes"), ("markup", "yes"),
                            ("buttons", "in a menu"), ("button", "yes"), ("body", "yes"),
                            ("dismissal", "yes"), ("reply", "by a dialog"), ("expiry", "yes"),
                        ] + Self.rest)), "\(row)")
        #expect(row.contains(#""server":"dunst""#))
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func theRowOfXfce() async throws {
        let row = try await probe(ServerCatalog.xfce, buttons: "5")
        #expect(
            row.contains(
                Self.cells(
                    [
                        ("buttons", "5"), ("button", "yes"), ("body", "closes"),
                        ("dismissal", "yes"),
                        ("reply", "by a dialog"), ("expiry", "yes"),
                    ] + Self.rest)), "\(row)")
    }

    /// What both have in common, to the end.
    private static let rest = [
        ("windowRunning", "not measured"), ("windowCold", "not measured"), ("replace", "yes"),
        ("doNotDisturb", "off"), ("restart", "not measured"), ("unknownID", "taken, silence"),
        ("silenceSeen", "yes"), ("switchSeen", "not measured"), ("switchTold", "not measured"),
    ]

    private static func cells(_ cells: [(String, String)]) -> String {
        cells.map { #""\#($0)":"\#($1)""# }.joined(separator: ",") + "}"
    }

    private func probe(_ server: DesktopServer, buttons: String) async throws -> String {
        try await RealServer.with(server) { session in
            // It knows where the desktop says whether Do Not Disturb is on.
            let center = try await HostedService.start(
                .daemon, on: session.bus, adding: session.environment)
            let program = try TerminalProgram(
                try HostedService.program("tocsin"), ["probe", "--json"],
                environment: session.bus.environment, in: session.bus.directory)
            do {
                try await answer(program, session, buttons: buttons)
                #expect(try await program.exit() == 0, "\(program.said)")
                guard let row = program.lines.all.first(where: { $0.hasPrefix("{") }) else {
                    throw HarnessError("no row: \(program.said)")
                }
                await center.stop()
                return row
            } catch {
                await program.stop()
                await center.stop()
                throw HarnessError("\(error)\n\(program.said)")
            }
        }
    }

    private func answer(
        _ program: TerminalProgram, _ session: RealServer, buttons: String
    ) async throws {
        for (question, line) in [
            ("app’s name: Does", "n"), ("app’s icon: Is an", "y"), ("picture: Is", "y"),
            ("app’s icon: Is the", "y"), ("text as written: Does", "y"),
            ("buttons of 5: How", buttons),
        ] {
            try await program.lines.first(question) { $0.contains(question) }
            try program.type(line)
        }
        try await program.lines.first("the button") { $0.contains("button: Press") }
        try await session.waitUntilShown("Press the button")
        try await session.choose("Like", of: "Press the button")
        try await program.lines.first("the text") { $0.contains("the popup itself: Click") }
        try await session.waitUntilShown("Click the text")
        try await clickText(session)
        try await program.lines.first("the end") { $0.contains("dismissal: Close") }
        try await session.waitUntilShown("Close it")
        try await session.screenshot("probe-\(session.server.name)")
        try await session.dismiss("Close it")
    }

    /// On the text itself: a dismissal where the default action is a button of its own.
    private func clickText(_ session: RealServer) async throws {
        if case .button = session.server.defaultAction {
            try await session.dismiss("Click the text")
        } else {
            try await session.chooseDefault(labelled: "Open", of: "Click the text")
        }
    }
}
