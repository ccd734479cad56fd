import Foundation
import SeedChapters
import TestSupport

/// `make demo`: an app schedules a notification, the user clicks it, and the app gets the response.
///
/// DesktopDemo [PROGRAM [ARGUMENT...]]
/// DesktopDemo --seeds [TEXT]     `make demo-seeds`: every chapter of the articles, or those whose
///                                title has this text
///
/// Runs in the caller's desktop; if there is none, starts a virtual desktop and clicks there.
/// `TOCSIN_DEMO=virtual` asks for a virtual desktop. Exits with 0 only if the response arrived.
@main
struct DesktopDemo {
    static func main() async {
        do {
            var command = Array(CommandLine.arguments.dropFirst())
            if command.first == "--seeds" { return try await walkSeeds(command.dropFirst().first) }
            if command.isEmpty { command = [try neighbour("Demo")] }
            let desktop = await RunningDesktop.find(ProcessInfo.processInfo.environment)
            if let desktop {
                try await DesktopDemo(command: command).run(in: desktop)
            } else {
                try await DesktopDemo(command: command).runInVirtualDesktop()
            }
        } catch {
            FileHandle.standardError.write(Data("demo: \(error)\n".utf8))
            exit(1)
        }
    }

    let command: [String]

    /// Walks through the chapters in virtual desktops, and prints a line for each.
    private static func walkSeeds(_ text: String?) async throws {
        let wanted = text ?? ""
        let chapters = SeedChapter.all.filter { wanted.isEmpty || $0.title.contains(wanted) }
        var failures = 0
        for chapter in chapters {
            do {
                try await chapter.run()
                say("\(chapter.title): seen")
            } catch {
                failures += 1
                say("\(chapter.title): failed: \(error)")
            }
        }
        guard failures == 0, !chapters.isEmpty else {
            throw HarnessError("\(failures) of \(chapters.count) chapters failed")
        }
        say("\(chapters.count) chapters seen; their screenshots are in \(Screenshot.folder)")
    }

    private func run(in desktop: RunningDesktop) async throws {
        say("Using this desktop's notification server, \(desktop.server).")
        say("If the app asks for permission, please allow it. A few seconds later a")
        say("notification comes: please click one of its buttons.")
        let program = try start(environment: desktop.environment)
        try await program.lines.first("the click", within: 90) { $0.hasPrefix("action: ") }
        try await finish(program)
    }

    private func runInVirtualDesktop() async throws {
        let server = ServerCatalog.xfce
        say("There is no desktop here: starting a private bus, Xvfb and \(server.name).")
        try await RealServer.with(server) { session in
            let program = try start(environment: session.environment)
            do {
                let allow = try await session.tree.waitUntilShown(
                    .pushButton, "Allow", within: 45)
                _ = try await session.screenshot("demo-permission")
                say("The app asks for permission; clicking \"Allow\" at \(allow.x),\(allow.y).")
                try await session.pointer.click(allow)
                let place = try await session.tree.waitUntilShown(
                    .pushButton, "Like", within: 45)
                let image = try await session.screenshot("demo")
                say("The popup is on the screen: \(image)")
                say("Clicking its button \"Like\" at \(place.x),\(place.y).")
                try await session.pointer.click(place)
                try await program.lines.first("the response") { $0 == "action: like" }
                try await finish(program)
            } catch {
                await program.stop()
                throw HarnessError("\(error)\nThe program said:\n\(program.said)")
            }
        }
    }

    private func start(environment: [String: String]) throws -> RunningProgram {
        try RunningProgram(
            command[0], Array(command.dropFirst()), environment: environment, keepsErrors: false)
    }

    private func finish(_ program: RunningProgram) async throws {
        let status = try await program.exit()
        try await program.lines.untilFinished()
        say("The program printed:")
        for line in program.lines.all { say("    \(line)") }
        guard status == 0, program.lines.all.contains("user info: from=demo order=42") else {
            throw HarnessError(
                "the program ended with \(status), or did not print the user info that it had sent")
        }
        say("The response came back.")
    }

    /// A program built together with this one.
    private static func neighbour(_ name: String) throws -> String {
        let folder = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        guard FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") else {
            throw HarnessError("\(folder)/\(name) is not built: run `make build`")
        }
        return "\(folder)/\(name)"
    }
}

private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
