import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A sandbox can export desktop files; the daemon does not run the commands in such files.
@Suite(.timeLimit(.minutes(3))) struct ExportedEntryTests {
    /// How a sandbox exports a desktop file; `none` is a file of the host.
    enum Export: String, CaseIterable {
        case flatpakKey, snapKey, exportsFolder, link, none
    }

    /// Installs a desktop file as a sandbox does; returns the variables that let the daemon find
    /// it.
    private static func install(
        _ export: Export, _ id: String, _ keys: String, on bus: PrivateBus
    ) throws -> [String: String] {
        let own = "\(bus.directory)/data/applications"
        let exported = "\(bus.directory)/flatpak/exports/share/applications"
        for folder in [own, exported] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        }
        let mark =
            switch export {
            case .flatpakKey: "X-Flatpak=\(id)"
            case .snapKey: "X-SnapInstanceName=reader"
            case .exportsFolder, .link, .none: ""
            }
        let text = "[Desktop Entry]\nType=Application\nName=Reader\n\(keys)\n\(mark)\n"
        let isOwn = [.flatpakKey, .snapKey, .none].contains(export)
        let file = "\(isOwn ? own : exported)/\(id).desktop"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        if export == .link {
            try FileManager.default.createSymbolicLink(
                atPath: "\(own)/\(id).desktop", withDestinationPath: file)
        }
        let folders = export == .exportsFolder ? "\(bus.directory)/flatpak/exports/share:" : ""
        return [
            "XDG_DATA_HOME": "\(bus.directory)/data",
            "XDG_DATA_DIRS": folders + "/usr/local/share:/usr/share",
        ]
    }

    @Test(arguments: Export.allCases)
    func `a push runs no service extension of an exported desktop file`(export: Export) async throws
    {
        let bus = try PrivateBus()
        let probe = try HostedService.program("ExtensionProbe")
        let variables = try Self.install(
            export, "org.tocsin.Reader",
            "Exec=/bin/true\nX-Tocsin-ServiceExtension=\"\(probe)\" change", on: bus)
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let center = try await HostedService.start(.daemon, on: bus, adding: variables)
            let payload = #"{"aps":{"alert":{"title":"secret","body":"b"},"mutable-content":1}}"#
            _ = try await center.service.push(
                Array(payload.utf8), collapseIdentifier: nil,
                for: try ApplicationID("org.tocsin.Reader"))
            // The daemon runs the extension of a desktop file that no sandbox exported.
            #expect(
                try await server.calls.first(1)[0].summary
                    == (export == .none ? "secret changed" : "secret"))
            await center.stop()
            await server.stop()
        }
    }

    @Test(arguments: Export.allCases, ["default", "return", "archive"])
    func `a click runs no command of an exported desktop file on the host`(
        export: Export, button: String
    ) async throws {
        let bus = try PrivateBus()
        let report = try ReportPipe(bus.directory + "/report")
        let ran = "/bin/sh -c \"echo ran >\(bus.directory)/report\""
        let variables = try Self.install(
            export, "org.tocsin.Test", "Exec=\(ran)\nX-Tocsin-BackgroundExec=\(ran)", on: bus)
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let center = try await HostedService.start(.daemon, on: bus, adding: variables)
            try await HostedService.allow(.daemon, on: bus)
            try await center.service.setCategories(
                [
                    NotificationCategory(
                        identifier: "mail",
                        actions: [
                            NotificationAction(identifier: "archive", title: "archive"),
                            NotificationAction(
                                identifier: "return", title: "return", options: [.foreground]),
                        ])
                ], of: center.app)
            try await center.add("mail") { $0.categoryIdentifier = "mail" }
            let post = try await server.calls.first(1)[0]
            try await center.settled { _, delivered in delivered.count == 1 }
            try await server.click(post.id, post.key(button))
            try await center.settled { _, delivered in delivered.isEmpty }
            if export == .none { try await report.lines.wait(for: "the app") { $0 == ["ran"] } }
            // The daemon handles this connection after it has decided whether to start the app.
            try await center.connect()
            let response = try await center.response(1)
            try await center.service.acknowledge(response.id, of: center.app)
            #expect(try await center.service.status().responseCount == 0)
            let expected = export == .none ? ["ran"] : []
            #expect(report.lines.all == expected)
            await center.stop()
            await server.stop()
            await report.stop()
            #expect(report.lines.all == expected)
        }
    }
}
