internal import Foundation
internal import Glibc
package import NotificationModel

/// The registrations of a distributor and its place in each server's stream, kept on disk.
package struct DistributorState: Hashable, Sendable, Codable {
    /// The registration of one app at one server.
    package struct Registration: Hashable, Sendable, Codable {
        /// The app's bus name.
        package var service: String
        /// The app's name for the registration.
        package var token: String
        /// The version of UnifiedPush's interfaces with which the app registered.
        package var version: Int
        /// The address of the ntfy server.
        package var server: String
        package var topic: String

        package init(
            service: String, token: String, version: Int, server: String, topic: String
        ) {
            (self.service, self.token, self.version) = (service, token, version)
            (self.server, self.topic) = (server, topic)
        }

        /// The address to which senders post.
        package var endpoint: String { "\(server)/\(topic)?up=1" }
    }

    /// The registrations by their tokens.
    package var registrations: [String: Registration] = [:]
    /// Where the stream of each server continues: the id of the last message that an app took, or
    /// the seconds since 1970 of the first registration.
    package var since: [String: String] = [:]

    package init() {}

    /// Reads a state; an empty one if there is no file.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be read or is damaged.
    package init(file: String) throws(NotificationError) {
        guard access(file, F_OK) == 0 else {
            self.init()
            return
        }
        do {
            let data = try Data(contentsOf: URL(filePath: file))
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The registrations in \(file.quotedForMessage()) cannot be read: \(error). Move the "
                    + "file away; apps then register again.")
        }
    }

    /// Writes the state to the disk, in a file that only its owner can read.
    ///
    /// - Throws: `storeUnavailable` if it cannot be written.
    package func write(_ file: String) throws(NotificationError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let text = String(decoding: try encoder.encode(self), as: UTF8.self)
            if WholeWrite.replace(file, by: text, draft: file + ".new", mode: 0o600) { return }
        } catch {
            throw Self.unwritable(file, "\(error)")
        }
        throw Self.unwritable(file, String(cString: strerror(errno)))
    }

    private static func unwritable(_ file: String, _ reason: String) -> NotificationError {
        NotificationError(
            .storeUnavailable,
            "The registrations cannot be written to \(file.quotedForMessage()): \(reason). Free "
                + "space there.")
    }
}
