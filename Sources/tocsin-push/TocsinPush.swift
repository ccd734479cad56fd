import Foundation
import NotificationModel
import WebPush
import WebPushSender

/// `tocsin-push`: sends Web Push messages for `tocsin push --to`.
///
/// It prints a line for each subscription that did not get the message. For `--json` it prints one
/// object for each subscription instead. `PushReport` has the exit statuses.
@main
struct TocsinPush {
    private static let largestFile = 64 << 20

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "--version": Swift.print(Version.current)
            case "new-key" where arguments.count == 2: try makeKey(arguments[1])
            default:
                guard let request = PushSendRequest(arguments: arguments) else {
                    throw Failure(
                        "Only the command tocsin starts this program. Use 'tocsin push --to'.",
                        PushReport.usage)
                }
                exit(try await send(request))
            }
        } catch {
            let failure = Failure(error)
            print(error: failure.message)
            exit(failure.status)
        }
    }

    // MARK: Keys

    /// Writes a new key into a file that only its owner can read, and prints the public key.
    private static func makeKey(_ path: String) throws {
        let key = ServerKey()
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Failure(
                "The key cannot be written to \(path.quotedForMessage()): "
                    + "\(String(cString: strerror(errno))). Name a new file in an existing folder.",
                PushReport.data)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data((key.text + "\n").utf8))
            try handle.synchronize()
        } catch {
            unlink(path)
            throw Failure(
                "The key cannot be written to \(path.quotedForMessage()): \(error). Free space "
                    + "there, or name another file.", PushReport.failure)
        }
        Swift.print(key.publicKeyText)
    }

    private static func key(_ path: String?) throws -> ServerKey? {
        guard let path else { return nil }
        let text = String(decoding: try bytes(of: path, "key"), as: UTF8.self)
        do {
            return try ServerKey(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
        } catch {
            throw Failure(
                "The file \(path.quotedForMessage()) has no server key: \(error) Make one with "
                    + "'tocsin push --new-vapid-key FILE'.", PushReport.data)
        }
    }

    // MARK: Sending

    private static func send(_ request: PushSendRequest) async throws -> Int32 {
        var message = PushMessage(try bytes(of: request.payload, "payload"))
        _ = try PushPayload(message.payload)
        if let seconds = request.timeToLive { message.timeToLive = .seconds(seconds) }
        if let urgency = request.urgency {
            guard let value = PushMessage.Urgency(rawValue: urgency) else {
                let names = PushMessage.Urgency.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(
                    "The urgency \(urgency.quotedForMessage()) is unknown. Use one of \(names).",
                    PushReport.usage)
            }
            message.urgency = value
        }
        message.topic = request.topic
        try message.check()
        let subscriptions = try subscriptions(request.subscriptions)
        let sender = Sender(
            key: try key(request.key), subject: request.subject ?? "")
        let report = PushReport(isJSON: request.isJSON)
        await sender.send(message, to: subscriptions) { await report.add($0, $1) }
        return await report.status
    }

    /// Reads the subscriptions: one JSON object, or one on each line.
    private static func subscriptions(_ source: String) throws -> [PushSubscription] {
        let json =
            source.hasPrefix("{") ? Array(source.utf8) : try bytes(of: source, "subscription")
        if let subscription = try? PushSubscription(json: json) { return [subscription] }
        let lines = json.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
            .filter {
                !$0.element.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
            }
        guard lines.count > 1 else { return [try PushSubscription(json: json)] }
        return try lines.map { number, line in
            do {
                return try PushSubscription(json: Array(line))
            } catch {
                throw Failure("Line \(number + 1): \(error)", PushReport.data)
            }
        }
    }

    private static func bytes(of path: String, _ what: String) throws -> [UInt8] {
        let name = path == "-" ? "on standard input" : path.quotedForMessage()
        do {
            let handle =
                path == "-"
                ? FileHandle.standardInput
                : try FileHandle(forReadingFrom: URL(filePath: path))
            let data = try handle.read(upToCount: largestFile + 1) ?? Data()
            guard data.count <= largestFile else {
                let remedy = what == "subscription" ? "Split it" : "Give a smaller one"
                throw Failure(
                    "The \(what) \(name) is larger than 64 MB. \(remedy).", PushReport.data)
            }
            return Array(data)
        } catch let failure as Failure {
            throw failure
        } catch {
            let remedy = path == "-" ? "Give a file or a pipe there" : "Check the path"
            throw Failure(
                "The \(what) \(name) cannot be read: \(error.localizedDescription) \(remedy).",
                PushReport.data)
        }
    }

    /// Prints an error on one line, without control characters, because any push service may have
    /// written a part of the text.
    static func print(error text: String) {
        let words = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let line = "tocsin: " + TerminalEscaping.line(words)
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

private struct Failure: Error {
    var message: String
    var status: Int32

    init(_ message: String, _ status: Int32) {
        (self.message, self.status) = (message, status)
    }

    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as WebPushError: self.init(error.message, PushReport.data)
        case let error as NotificationError: self.init(error.message, PushReport.data)
        default: self.init("\(error)", PushReport.failure)
        }
    }
}
