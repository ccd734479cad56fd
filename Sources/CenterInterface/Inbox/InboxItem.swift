package import NotificationModel

/// A request that was scheduled without a bus: the content of one file of the inbox.
///
/// The request always belongs to the tool itself: requests for other apps need the daemon.
package struct InboxItem: Hashable, Sendable {
    /// The name of the file: a UUID, so that the daemon imports the request only once.
    package var id: String
    /// When the request was scheduled; the request's dates count from this time.
    package var created: Instant
    /// The request; its attachments are files of the inbox.
    package var request: NotificationRequest
    /// See `RequestWithFiles.nextFire`.
    package var nextFire: Instant?
    /// How the daemon starts the tool for a click; nil if a click runs nothing.
    package var identity: ApplicationIdentity?

    package init(
        created: Instant, request: NotificationRequest, nextFire: Instant? = nil,
        identity: ApplicationIdentity? = nil, id: String = InboxItem.newID()
    ) {
        self.id = id
        self.created = created
        self.request = request
        self.nextFire = nextFire
        self.identity = identity
    }

    /// A random UUID, RFC 9562, 5.4.
    package static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(3 << 62) | (2 << 62)
        let digits = Array(text(high) + text(low))
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }

    /// Whether a text has the form of a UUID.
    package static func isID(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
