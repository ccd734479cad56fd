internal import CenterInterface
internal import Foundation
internal import Glibc
package import NotificationModel

/// The program's side of a service extension that runs without its app.
///
/// It reads one request from standard input and writes one answer to standard output.
package struct ExtensionService: Sendable {
    package let request: NotificationRequest
    private let output: Int32

    /// Reads standard input to its end.
    ///
    /// It keeps standard output for the answer, and redirects all other output of the program to
    /// standard error.
    ///
    /// - Throws: The error of `ExtensionDocument.readInput` if standard input is not a valid
    ///   document.
    package init() throws(NotificationError) {
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        let input = FileHandle.standardInput.readDataToEndOfFile()
        request = try ExtensionDocument.readInput(Array(input)).request
    }

    /// Writes the answer.
    ///
    /// It copies attached files into the working directory, unless they are already there. The
    /// notification centre made this directory for this run.
    ///
    /// - Throws: `attachmentNotStored` if a file cannot be copied; the error of
    ///   `ExtensionDocument.output` if the content is nested too deeply; `protocolViolation` if the
    ///   answer cannot be written.
    package func answer(_ content: NotificationContent) throws(NotificationError) {
        var content = content
        let folder = FileManager.default.currentDirectoryPath
        for index in content.attachments.indices {
            content.attachments[index].path = try Self.copied(
                content.attachments[index].path, into: folder)
        }
        let bytes = try ExtensionDocument.output(content)
        do {
            try FileHandle(fileDescriptor: output).write(contentsOf: Data(bytes))
        } catch {
            throw NotificationError(
                .protocolViolation,
                "The answer could not be written, perhaps because the extension exceeded its time "
                    + "limit: \(error).")
        }
    }

    private static func copied(
        _ path: String, into folder: String
    ) throws(NotificationError) -> String {
        let source = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        if source.path.hasPrefix(root + "/") { return source.path }
        let target = "\(root)/\(UUID().uuidString)-\(source.lastPathComponent)"
        do {
            try FileManager.default.copyItem(atPath: source.path, toPath: target)
        } catch {
            throw NotificationError(
                .attachmentNotStored,
                "The attachment \(path.quotedForMessage()) could not be copied: \(error).")
        }
        return target
    }
}
