internal import CenterInterface
internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import Logging
package import NotificationModel
package import Reactor

/// Runs the service extensions that desktop files name.
///
/// `X-Tocsin-ServiceExtension` is the absolute path of a program and its arguments. The program
/// gets the request as JSON and answers with content; the XML of the bus interface in `dbus` has
/// the details.
///
/// Each run has a private directory, which is removed afterwards. Only files from that directory
/// are attached. No shell is involved, and no program gets a display.
package actor DesktopExtensionPrograms: ExtensionPrograms, ReactorActor {
    package static let key = "X-Tocsin-ServiceExtension"

    package nonisolated let reactor: Reactor
    private let environment: [String: String]
    private let directory: String
    private let files: HangingWork
    private let command: @Sendable (ApplicationID) -> String?
    private var isSwept = false
    /// The extensions whose answers are still needed.
    private var needed: Set<ExtensionToken> = []
    private var running: [ExtensionToken: WorkerProgram] = [:]

    /// Makes a runner whose programs work below `directory`; nothing else may use the directory.
    package init(
        environment: [String: String], directory: String, reactor: Reactor,
        command: @escaping @Sendable (ApplicationID) -> String? = {
            DesktopEntry.command(DesktopExtensionPrograms.key, ofEntry: $0.rawValue)
        }
    ) {
        self.environment = environment
        self.directory = directory
        self.reactor = reactor
        self.command = command
        files = HangingWork(reactor: reactor)
    }

    package func extend(
        _ request: NotificationRequest, of app: ApplicationID, as token: ExtensionToken
    ) async throws(NotificationError) -> ExtendedContent? {
        needed.insert(token)
        defer { needed.remove(token) }
        let command = command
        let found = await files.result(for: app.rawValue, within: Limits.fileWait.duration) {
            command(app)
        }
        // If `endProgram` was called during the wait, nothing would stop a program that starts now.
        guard needed.contains(token), let text = found ?? nil else { return nil }
        guard let arguments = CommandText.parts(of: text) else {
            throw NotificationError(
                .invalidArgument,
                "The key \(Self.key) in the desktop file of \(app) is \(text.quotedForMessage()). "
                    + "Write the absolute path of a program there, and its arguments.")
        }
        let folder = try makeFolder(for: token)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let input = try ExtensionDocument.input(request, of: app)
        let program = WorkerProgram(arguments, reactor: reactor)
        running[token] = program
        defer { running[token] = nil }
        let output = try await program.run(
            input: input, environment: programEnvironment(app, folder), directory: folder)
        let content = try ExtensionDocument.readOutput(output)
        let attached = try await files.files(
            for: app.rawValue,
            orThrow: NotificationError(
                .attachmentInvalid,
                "The attachments of the service extension of \(app) cannot be read: their file "
                    + "system does not answer.")
        ) { () throws(NotificationError) in
            try Self.files(of: content, in: folder)
        }
        return ExtendedContent(content: content, attachments: attached)
    }

    package func expire(_ token: ExtensionToken) async {
        await running[token]?.signal(SIGTERM)
    }

    package func endProgram(_ token: ExtensionToken) async {
        needed.remove(token)
        await running[token]?.signal(SIGKILL)
    }

    private func makeFolder(for token: ExtensionToken) throws(NotificationError) -> String {
        let folder = "\(directory)/\(UUID().uuidString)"
        do {
            if !isSwept {
                isSwept = true
                // `directory` may still contain folders of an earlier process.
                try? FileManager.default.removeItem(atPath: directory)
            }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The directory \(folder.quotedForMessage()) could not be made: \(error).")
        }
        return folder
    }

    /// The environment of an extension, without a display, because an extension shows nothing.
    private func programEnvironment(
        _ app: ApplicationID, _ folder: String
    ) -> [String: String] {
        var result = environment
        result["DISPLAY"] = nil
        result["WAYLAND_DISPLAY"] = nil
        result["TOCSIN_APP_ID"] = app.rawValue
        result["TMPDIR"] = folder
        result["PWD"] = folder
        return result
    }

    private static func files(
        of content: NotificationContent, in folder: String
    ) throws(NotificationError) -> [OpenFile] {
        let root = real(folder)
        var files: [OpenFile] = []
        for attachment in content.attachments {
            let path =
                attachment.path.hasPrefix("/")
                ? attachment.path : "\(folder)/\(attachment.path)"
            let place = (path as NSString).deletingLastPathComponent
            guard real(place) == root || real(place).hasPrefix(root + "/") else {
                throw NotificationError(
                    .attachmentInvalid,
                    "The attachment \(path.quotedForMessage()) does not lie in the service "
                        + "extension's directory. Copy it into TMPDIR first.")
            }
            files.append(try OpenFile(path: path))
        }
        return files
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
