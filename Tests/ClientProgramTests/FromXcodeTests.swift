import DesktopBus
import Foundation
import HostingSupport
import TestSupport
import Testing

/// The article FromXcode, command by command, on a project as Xcode lays it out.
///
/// The test makes a release build of a separate package. Only `make test-clients` has time for it.
@Suite(
    .enabled(if: ClientBuild.all.count > 0, "run `make test-clients`"),
    .enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"),
    .timeLimit(.minutes(30)))
struct FromXcodeTests {
    private static let id = "com.harry.HDLocalNotification"
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test func `an Xcode project becomes an installed app by the article's commands`() async throws
    {
        let article = try String(
            contentsOfFile: Self.root
                + "/Sources/UserNotifications/UserNotifications.docc/FromXcode.md",
            encoding: .utf8)
        let commands = Self.blocks("sh", of: article)
        try #require(commands.count == 5)
        let project = XcodeProject(root: Self.root)
        try await project.write(package: try #require(Self.blocks("swift", of: article).first))
        #expect(project.files.isSuperset(of: Self.files(in: article)))
        // The user's own home has the caches of SwiftPM.
        try await project.run(
            commands[0], environment: ProcessInfo.processInfo.environment, within: 1_500)
        try await RealServer.with(ServerCatalog.xfce) { session in
            let home = "\(session.bus.directory)/home"
            var environment = session.environment
            environment["HOME"] = home
            environment["XDG_DATA_HOME"] = home + "/.local/share"
            environment["LC_ALL"] = "zh_CN.UTF-8"
            environment["TOCSIN_MODE"] = "embedded"
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(home)/none"
            let tools = URL(fileURLWithPath: try HostedService.program("tocsin"))
                .deletingLastPathComponent().path
            environment["PATH"] = "\(tools):\(environment["PATH"] ?? "")"
            try await project.run(commands[1], environment: environment)
            try await project.run(commands[2], environment: environment)
            let entry = "\(home)/.local/share/applications/\(Self.id).desktop"
            let lines = try String(contentsOfFile: entry, encoding: .utf8)
                .split(separator: "\n").map(String.init)
            #expect(lines.contains("Name=Reminders"))
            #expect(lines.contains("Name[zh_CN]=穿衣提醒"))
            try await use(session, project, starting: commands[3], environment)
            try await project.run(commands[4], environment: environment)
            let rest = try FileManager.default.subpathsOfDirectory(atPath: home)
            #expect(!rest.contains { $0.contains("\(Self.id).") }, "\(rest)")
        }
    }

    /// Allows the started app its notifications, clicks its first popup, and chooses a quick
    /// action.
    private func use(
        _ session: RealServer, _ project: XcodeProject, starting command: String,
        _ environment: [String: String]
    ) async throws {
        let app = try project.start(command, environment: environment)
        do {
            let question = "“穿衣提醒”想给你发送通知"
            try await session.waitUntilShown(question)
            _ = try await session.screenshot("from-xcode-question")
            try await session.choose("允许", of: question)
            try await app.lines.first("the permission") { $0 == "register notification success" }
            // The app is in front, so the centre asks it before it shows a popup.
            try await app.lines.first("the first minute", within: 90) {
                $0 == "categoryIdentifier: local_notification"
            }
            let title = "通知标题-_-"
            try await session.waitUntilShown(title)
            _ = try await session.screenshot("from-xcode-popup")
            try await session.choose("点击进入app", of: title)
            try await app.lines.first("the click") {
                $0 == "response.actionIdentifier: sure_action"
            }
            let action = "\(Self.id).wear"
            try await QuickActionLauncher(environment: environment).choose(
                action.replacingOccurrences(of: ".", with: "-2E"), of: Self.id)
            try await app.lines.first("the quick action") { $0 == "shortcutItem.type: \(action)" }
        } catch {
            _ = try? await session.screenshot("failed-from-xcode")
            Issue.record("the app said:\n\(app.said)")
            try await endApp(in: session)
            throw error
        }
        try await endApp(in: session)
    }

    /// Ends the app, which `gio` started; the bus knows the process that owns the app's name.
    private func endApp(in session: RealServer) async throws {
        let connection = try await BusConnection.open(on: session.bus, name: "end")
        if let pid = try await connection.credentials(of: BusName(Self.id)).pid {
            kill(Int32(pid), SIGTERM)
        }
        await connection.close()
    }

    /// The code blocks of the article in this language.
    private static func blocks(_ language: String, of article: String) -> [String] {
        article.components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    /// The files that the article's overview of the project names, below the app's folder.
    private static func files(in article: String) -> Set<String> {
        let lines = blocks("", of: article).first?.split(separator: "\n") ?? []
        return Set(
            lines.filter { $0.hasPrefix("    ") }.map {
                $0.trimmingCharacters(in: .whitespaces)
            })
    }
}
