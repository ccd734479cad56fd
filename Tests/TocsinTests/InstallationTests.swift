import Foundation
import TestSupport
import Testing

/// What `make install` puts beside the programs.
@Suite struct InstallationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Installs the data files for the programs of this build.
    private static func installed(
        _ body: (_ directory: String) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "install-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let make = try RunningProgram(
            "make",
            [
                "-s", "-C", root, "install-data", "DESTDIR=\(directory)", "PREFIX=/usr",
                "BINDIR=\(ProgramTests.products)",
            ], environment: ProcessInfo.processInfo.environment)
        #expect(try await make.exit() == 0)
        try await body(directory)
    }

    @Test func noPlaceholderIsLeftAndEachFileStartsTheDaemonThatWasInstalled() async throws {
        try await Self.installed { directory in
            for file in [
                "usr/share/dbus-1/services/org.tocsin.NotificationCenter1.service",
                "usr/share/systemd/user/tocsind.service",
                "etc/xdg/autostart/tocsind-autostart.desktop",
            ] {
                let text = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
                #expect(text.contains("=\(ProgramTests.products)/tocsind\n"), "\(file)")
                #expect(!text.contains("@"), "\(file)")
            }
        }
    }

    @Test func theBusStartsTheInstalledDaemonForTheFirstCall() async throws {
        try await Self.installed { directory in
            let name = "org.tocsin.NotificationCenter1.service"
            let service = try String(
                contentsOfFile: "\(directory)/usr/share/dbus-1/services/\(name)", encoding: .utf8)
            let bus = try PrivateBus(services: [name: service])
            let server = try await ScriptedServer.start(on: bus)
            let schedule = try await ProgramTests.run(
                "tocsin", ["schedule", "Hi", "--in", "50ms"], environment: bus.environment)
            #expect(schedule.status == 0, "\(schedule.errors)")
            let post = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
            #expect(post.map(\.summary) == ["Hi"])
            let doctor = try await ProgramTests.run(
                "tocsin", ["doctor", "--json"], environment: bus.environment)
            #expect(doctor.output.contains("\"hosting\":\"daemon\""))
            await server.stop()
        }
    }
}
