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

    /// The place in the messages of one server, by the server's clock.
    ///
    /// It is a time and not the id of a message: a server mixes new messages into the old ones that
    /// it sends again, so the messages after an id are not those that came after it.
    package struct Place: Hashable, Sendable, Codable {
        /// The most ids that are kept; each saving writes them all.
        package static let mostTaken = 4_096
        /// How long a server may take to pass a message on and to store it, in seconds.
        private static let longestStorage: Int64 = 60

        /// Apps took all messages from before this time, in seconds since 1970.
        package private(set) var time: Int64 = 0
        /// The times of the messages since then that apps took, by their ids.
        package private(set) var taken: [String: Int64] = [:]

        package init() {}

        /// The place as a server reads it.
        var since: String { time == 0 ? "all" : "\(time)" }

        /// Notes that an app took a message; `oldest` is the time of the oldest one on its way.
        mutating func noteTaken(_ message: NtfyMessage, oldest: Int64?) {
            taken[message.id] = message.time
            guard taken.count > Self.mostTaken else { return }
            // A server sends old messages in the order of their times, so none is older than these.
            let times = taken.values.sorted()
            let quarter = times[times.count / 4]
            // At least one message is forgotten, or those of one second would fill the memory.
            let other = times.first == quarter ? quarter + 1 : quarter
            _ = advance(to: min(other, oldest ?? .max))
        }

        /// Forgets messages that the server does not send again after it sent all up to `now`.
        ///
        /// - Returns: Whether there were such messages.
        mutating func forgetTaken(now: Int64, oldest: Int64?) -> Bool {
            advance(to: min(now - Self.longestStorage, oldest ?? .max))
        }

        private mutating func advance(to other: Int64) -> Bool {
            let kept = taken.filter { $0.value >= other }
            // Without a message to forget, the earlier place is as good, and needs no writing.
            guard other > time, kept.count < taken.count else { return false }
            (time, taken) = (other, kept)
            return true
        }
    }

    /// The registrations by their tokens.
    package var registrations: [String: Registration] = [:]
    /// The place in the messages of each server.
    package var places: [String: Place] = [:]

    package init() {}

    /// Reads a state; an empty one if there is no file.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be read or is damaged.
    package init(file: String) throws(NotificationError) {
        do {
            self = try JSONFile(path: file).read() ?? Self()
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The registrations in \(file.quotedForMessage()) cannot be read: "
                    + "\(JSONFile.reason(of: error)). Move the file away; apps then register again."
            )
        }
    }

    /// Writes the state to the disk, in a file that only its owner can read.
    ///
    /// - Throws: `storeUnavailable` if it cannot be written.
    package func write(_ file: String) throws(NotificationError) {
        do {
            try JSONFile(path: file).write(self)
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The registrations cannot be written to \(file.quotedForMessage()): "
                    + "\(JSONFile.reason(of: error)). Free space there.")
        }
    }
}
