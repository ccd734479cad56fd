internal import Foundation
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
        do {
            self = try JSONFile(path: file).read() ?? Self()
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The configuration \(file.quotedForMessage()) cannot be read: "
                    + "\(JSONFile.reason(of: error)). Write it anew with 'tocsin-distributor "
                    + "--server URL'.")
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
            try JSONFile(path: file).write(self, isPretty: true)
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The configuration cannot be written to \(file.quotedForMessage()): "
                    + "\(JSONFile.reason(of: error)).")
        }
    }
}
