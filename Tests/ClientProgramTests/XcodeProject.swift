import Foundation
import TestSupport

/// The project of the article FromXcode, beside a link to this package.
///
/// Its folder and the build products in it stay between runs, so the next run is short.
struct XcodeProject {
    private static let name = "HDLocalNotification"

    /// The app's files, below its folder.
    let files: Set<String> = [
        "AppDelegate.swift", "LocalNotifManager.swift", "Info.plist",
        "Assets.xcassets/AppIcon.appiconset/AppIcon-512.png", "Base.lproj/Main.storyboard",
        "en.lproj/InfoPlist.strings", "zh-Hans.lproj/InfoPlist.strings",
    ]

    private let root: String
    private let folder: String

    init(root: String) {
        self.root = root
        folder = "\(root)/.build-walk/\(Self.name)"
    }

    /// Writes the files of `Tests/Seeds` and those that Xcode adds.
    func write(package: String) async throws {
        let manager = FileManager.default
        let sources = "\(folder)/\(Self.name)"
        if manager.fileExists(atPath: sources) { try manager.removeItem(atPath: sources) }
        for file in files {
            let path = "\(sources)/\(file)"
            try manager.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            if file.hasSuffix(".png") {
                try await TestImage.drawIcon(path)
            } else {
                try text(of: file).write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
        try seed("Frame.swift").write(
            toFile: "\(sources)/Frame.swift", atomically: true, encoding: .utf8)
        try package.write(
            toFile: "\(folder)/Package.swift", atomically: true, encoding: .utf8)
        let link = "\(root)/.build-walk/tocsin"
        if !manager.fileExists(atPath: link) {
            try manager.createSymbolicLink(atPath: link, withDestinationPath: root)
        }
    }

    private func seed(_ file: String) throws -> String {
        try String(contentsOfFile: "\(root)/Tests/Seeds/\(Self.name)/\(file)", encoding: .utf8)
    }

    private func text(of file: String) throws -> String {
        switch file {
        case "AppDelegate.swift":
            // The app of `Tests/Seeds` schedules when it becomes active. At its first start it has
            // no permission yet, so this version schedules when it gets the permission.
            try seed(file).replacingOccurrences(of: "\n@main\n", with: "\n@UIApplicationMain\n")
                .replacingOccurrences(of: "        start()\n", with: "")
                .replacingOccurrences(
                    of: "print(\"register notification success\")",
                    with: "print(\"register notification success\"); start()")
        case "Info.plist":
            try seed(file).replacingOccurrences(
                of: "<plist version=\"1.0\">\n<dict>",
                with: """
                    <plist version="1.0">
                    <dict>
                    <key>CFBundleDisplayName</key><string>Reminders</string>
                    <key>NSUserNotificationsUsageDescription</key>
                    <string>Tells you when to dress.</string>
                    """)
        case "en.lproj/InfoPlist.strings": "CFBundleDisplayName = \"Reminders\";"
        case "zh-Hans.lproj/InfoPlist.strings":
            """
            CFBundleDisplayName = "穿衣提醒";
            NSUserNotificationsUsageDescription = "提醒你穿衣服。";
            """
        case "Base.lproj/Main.storyboard": "<document/>"
        default: try seed(file)
        }
    }

    /// Runs commands of the article in the project's folder; throws if one fails.
    func run(
        _ commands: String, environment: [String: String], within seconds: Int = 30
    ) async throws {
        try await RunningProgram.run(
            "bash", shell(commands), environment: environment, within: seconds)
    }

    /// Starts commands whose program keeps running; its lines are not buffered.
    func start(_ commands: String, environment: [String: String]) throws -> RunningProgram {
        try RunningProgram("stdbuf", ["-oL", "bash"] + shell(commands), environment: environment)
    }

    private func shell(_ commands: String) -> [String] {
        ["-euc", "cd \"$0\"\n\(commands)", folder]
    }
}
