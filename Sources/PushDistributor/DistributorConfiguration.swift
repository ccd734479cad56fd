internal import Foundation
package import NotificationModel

/// The configuration file of a distributor, with the ntfy servers that it uses.
///
/// `tocsin-distributor --server` writes the file.
package struct DistributorConfiguration: Hashable, Sendable, Codable {
    /// The server's address for new registrations, without a slash at its end; nil if the user has
    /// chosen no server.
    package var server: String?
    /// The access tokens of servers that require a token, by the servers' addresses.
    package var accessTokens: [String: String] = [:]

    package init() {}

    /// Reads the file; if there is no file, the configuration is empty.
    ///
    /// - Throws: `invalidArgument` if the file cannot be read.
    package init(file: String) throws(NotificationError) {
        do {
            self = try JSONFile(path: file).read() ?? Self()
        } catch {
            throw NotificationError(
                .invalidArgument,
                "The configuration \(file.quotedForMessage()) cannot be read: "
                    + "\(JSONFile.reason(of: error)). Correct it, or move it away and choose the "
                    + "server again with 'tocsin-distributor --server URL'.")
        }
    }

    /// Chooses the server for new registrations; earlier registrations stay at their servers.
    ///
    /// If `accessToken` is nil, the server keeps its earlier token; an empty `accessToken` removes
    /// the earlier token.
    ///
    /// - Throws: `invalidArgument` if the address is no http or https URL, or if it has a user
    ///   name, a password, a query or a fragment.
    package mutating func choose(
        _ address: String, accessToken: String?
    ) throws(NotificationError) {
        var text = address
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let written = parts.scheme,
            case let scheme = written.lowercased(), ["https", "http"].contains(scheme),
            parts.host?.isEmpty == false
        else {
            throw NotificationError(
                .invalidArgument,
                "\(address.quotedForMessage()) is no http or https address. Write one such as "
                    + "https://ntfy.example.org.")
        }
        // The address is part of each endpoint, which apps pass to their servers.
        guard parts.user == nil, parts.password == nil else {
            throw NotificationError(
                .invalidArgument,
                "The server's address has a user name or a password, which every sender would get. "
                    + "Leave them out, and pass an access token by '--access-token-file FILE'.")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw NotificationError(
                .invalidArgument,
                "The address \(address.quotedForMessage()) has a query or a fragment. Leave out "
                    + "the '?' or '#' and everything after it.")
        }
        text = scheme + text.dropFirst(written.count)
        server = text
        if let accessToken { accessTokens[text] = accessToken.isEmpty ? nil : accessToken }
    }

    /// Writes the file, which only its owner can read, because it may contain access tokens.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be written.
    package func write(_ file: String) throws(NotificationError) {
        do {
            try JSONFile(path: file).write(self, isPretty: true)
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The configuration cannot be written to \(file.quotedForMessage()): "
                    + "\(JSONFile.reason(of: error)). Check the space and the permissions there.")
        }
    }
}
