package import NotificationModel

/// The registrations of a distributor, and its `Place` in each server's messages; kept on disk.
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

    /// The time on a server's clock up to which apps have taken the server's messages.
    ///
    /// The id of the last message cannot mark this place, because a server mixes new messages into
    /// the old messages that it sends again. So older messages may follow a new message.
    package struct Place: Hashable, Sendable, Codable {
        /// The most ids in `taken`, because each save writes all of them.
        ///
        /// While a message is still on its way, `taken` keeps the ids of all later messages. Above
        /// this number the distributor pauses the stream. Messages that are already on their way
        /// still add their ids.
        package static let mostTaken = 4_096
        /// How long a server may take to pass on a new message and to store it, in seconds.
        private static let longestStorage: Int64 = 60

        /// Apps have taken all messages from before this time, in seconds since 1970.
        package private(set) var time: Int64 = 0
        /// The messages since `time` that apps have taken: the time of each message by its id.
        package private(set) var taken: [String: Int64] = [:]

        package init() {}

        /// The value of the parameter `since` in a request to the server.
        var since: String { time == 0 ? "all" : "\(time)" }

        /// Whether `taken` has too many ids, because a message on its way keeps the ids of all
        /// later messages.
        var isOverfull: Bool { taken.count > Self.mostTaken }

        /// Notes that an app has taken a message, or that the last attempt to deliver it failed.
        ///
        /// `oldest` is the time of the oldest message that is still on its way.
        mutating func noteTaken(_ message: NtfyMessage, oldest: Int64?) {
            // Skip a message from before `time`: no stream requests it again. If a server's clock
            // was set back, the ids of such messages would otherwise pile up in `taken`.
            guard message.time >= time else { return }
            taken[message.id] = message.time
            guard taken.count > Self.mostTaken else { return }
            // A server sends old messages in the order of their times, so all messages from before
            // `quarter` have arrived.
            let times = taken.values.sorted()
            let quarter = times[times.count / 4]
            // If the oldest quarter has only one time, go past it, so that messages are forgotten.
            // But `time` must not pass a message that is still on its way.
            let other = times.first == quarter ? quarter + 1 : quarter
            _ = advance(to: min(other, oldest ?? .max))
        }

        /// Moves `time` close to `now`, and forgets the messages before `time`.
        ///
        /// The server has sent all messages up to `now`. `oldest` is the time of the oldest message
        /// that is still on its way.
        ///
        /// - Returns: Whether a message was forgotten; otherwise nothing has changed.
        mutating func forgetTaken(now: Int64, oldest: Int64?) -> Bool {
            advance(to: min(now - Self.longestStorage, oldest ?? .max))
        }

        private mutating func advance(to other: Int64) -> Bool {
            let kept = taken.filter { $0.value >= other }
            // If there is no message to forget, keep the earlier time, which is on disk already.
            guard other > time, kept.count < taken.count else { return false }
            (time, taken) = (other, kept)
            return true
        }
    }

    /// The registrations by their tokens.
    package var registrations: [String: Registration] = [:]
    /// The places in the servers' messages, by the servers' addresses.
    package var places: [String: Place] = [:]

    package init() {}

    /// Reads the state from a file; if there is no file, the state is empty.
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
    /// - Throws: `storeUnavailable` if the file cannot be written.
    package func write(_ file: String) throws(NotificationError) {
        do {
            try JSONFile(path: file).write(self)
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The registrations cannot be written to \(file.quotedForMessage()): "
                    + "\(JSONFile.reason(of: error)). Check the space and the permissions there.")
        }
    }
}
