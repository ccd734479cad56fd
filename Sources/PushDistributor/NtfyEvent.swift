internal import Foundation

/// One event of a stream of an ntfy server.
///
/// Source: docs.ntfy.sh, "Subscribe via API", SSE stream and JSON message format.
package enum NtfyEvent: Hashable, Sendable {
    /// The stream is open.
    case opened
    /// A sign of life, with the time of the server in seconds since 1970.
    ///
    /// A stream sends its first `keepalive` after all old messages.
    case keepalive(Int64)
    /// A message.
    case message(NtfyMessage)

    /// Reads one line of the stream; nil for lines and events that the distributor does not need.
    package init?(line: String) {
        guard line.hasPrefix("data:") else { return nil }
        let document: Document
        do {
            document = try JSONDecoder().decode(
                Document.self, from: Data(line.dropFirst("data:".count).utf8))
        } catch {
            return nil
        }
        switch document.event {
        case "open": self = .opened
        case "keepalive": self = .keepalive(document.seconds)
        case "message":
            guard let id = document.id, (1...Self.longestID).contains(id.utf8.count),
                let topic = document.topic,
                let text = document.message,
                let body = document.encoding == "base64"
                    ? Data(base64Encoded: text).map({ Array($0) }) : Array(text.utf8)
            else { return nil }
            self = .message(
                NtfyMessage(id: id, topic: topic, time: document.seconds, body: body))
        default: return nil
        }
    }

    /// The longest id of a message in bytes; ntfy's ids have 12 bytes.
    private static let longestID = 64

    private struct Document: Decodable {
        var id: String?
        var event: String
        var time: Int64?
        var topic: String?
        var message: String?
        var encoding: String?

        /// The time, limited to the years 1970 to 9999, so that sums with it cannot overflow.
        var seconds: Int64 { min(max(0, time ?? 0), 253_402_300_799) }
    }
}

/// A message of an ntfy server.
package struct NtfyMessage: Hashable, Sendable {
    /// The server's id of the message.
    package var id: String
    package var topic: String
    /// When the server got the message, in seconds since 1970.
    package var time: Int64
    package var body: [UInt8]

    package init(id: String, topic: String, time: Int64, body: [UInt8]) {
        (self.id, self.topic, self.time, self.body) = (id, topic, time, body)
    }
}
