internal import Foundation
internal import Glibc
package import NotificationModel

/// The ntfy servers that a distributor uses, as one command of the user writes them.
package struct DistributorConfiguration: Hashable, Sendable, Codable {
    /// The address of the server for new registrations, without a slash at its end; nil for none.
    package var server: String?
    /// The access tokens of servers that ask for one, by the servers' addresses.
    package var accessTokens: [String: String] = [:]

    package init() {}

    /// Reads the file; an empty configuration if there is none.
    ///
    /// - Throws: `invalidArgument` if it cannot be read.
    package init(file: String) throws(NotificationError) {
        guard access(file, F_OK) == 0 else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(
                Self.self, from: Data(contentsOf: URL(filePath: file)))
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The configuration \(file.quotedForMessage()) cannot be read: \(error). Write it "
                    + "anew with 'tocsin-distributor --server URL'.")
        }
    }

    /// Chooses the server for new registrations; earlier ones stay at their servers.
    ///
    /// - Throws: `invalidArgument` if the address is no http or https URL without a query.
    package mutating func choose(
        _ address: String, accessToken: String?
    ) throws(NotificationError) {
        var text = address
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), ["https", "http"].contains(parts.scheme),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil
        else {
            throw NotificationError(
                .invalidArgument,
                "\(address.quotedForMessage()) is no address of a server. Write it as in "
                    + "https://ntfy.example.org.")
        }
        server = text
        accessTokens[text] = accessToken
    }

    /// Writes the file, which only its owner can read: it may have access tokens.
    ///
    /// - Throws: `storeUnavailable` if it cannot be written.
    package func write(_ file: String) throws(NotificationError) {
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: file).deletingLastPathComponent(),
                withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let text = String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
            if WholeWrite.replace(file, by: text, draft: file + ".new", mode: 0o600) { return }
        } catch {
            throw Self.unwritable(file, error.localizedDescription)
        }
        throw Self.unwritable(file, String(cString: strerror(errno)))
    }

    private static func unwritable(_ file: String, _ reason: String) -> NotificationError {
        NotificationError(
            .storeUnavailable,
            "The configuration cannot be written to \(file.quotedForMessage()): \(reason).")
    }
}
