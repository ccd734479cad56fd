internal import Foundation

/// One event of a stream of an ntfy server.
///
/// Source: docs.ntfy.sh, "Subscribe via API", SSE stream and JSON message format.
package enum NtfyEvent: Hashable, Sendable {
    /// The stream is open.
    case opened
    /// The server sends this while there are no messages.
    case keepalive
    /// A message.
    case message(NtfyMessage)

    /// Reads one line of the stream; nil for lines and events without a meaning here.
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
        case "keepalive": self = .keepalive
        case "message":
            guard let id = document.id, !id.isEmpty, let topic = document.topic,
                let text = document.message,
                let body = document.encoding == "base64"
                    ? Data(base64Encoded: text).map({ Array($0) }) : Array(text.utf8)
            else { return nil }
            self = .message(NtfyMessage(id: id, topic: topic, body: body))
        default: return nil
        }
    }

    private struct Document: Decodable {
        var id: String?
        var event: String
        var topic: String?
        var message: String?
        var encoding: String?
    }
}

/// A message of an ntfy server.
package struct NtfyMessage: Hashable, Sendable {
    /// The server's id of the message, which `since` takes.
    package var id: String
    package var topic: String
    package var body: [UInt8]

    package init(id: String, topic: String, body: [UInt8]) {
        (self.id, self.topic, self.body) = (id, topic, body)
    }
}
