/// A remote notification as APNs and `xcrun simctl push` take it, read and checked; pure.
///
/// Source: developer.apple.com, "Generating a remote notification".
public struct PushPayload: Hashable, Sendable {
    /// The largest payload, in bytes.
    public static let maximumSize = Limits.pushPayload.most
    /// The longest collapse identifier, in bytes.
    public static let maximumCollapseIdentifier = Limits.collapseIdentifier.most

    /// What the notification says; the whole payload is its user info.
    public var content: NotificationContent
    /// The app that the payload itself names, as `simctl` files do.
    public var target: String?
    /// Whether the app's service extension may change it.
    public var isMutable: Bool
    /// Whether it wakes the app.
    public var isContentAvailable: Bool
    /// Whether there is a text to show.
    public var showsAlert: Bool

    /// Reads a payload, or fails with `invalidArgument` and what is wrong with it.
    public init(_ bytes: [UInt8]) throws(NotificationError) {
        guard bytes.count <= Self.maximumSize else {
            throw Self.unusable(
                "it has \(bytes.count) bytes, and \(Self.maximumSize) are the most. Shorten it, or "
                    + "let the app fetch the rest")
        }
        let all = try Self.dictionary(bytes)
        guard case .dictionary(let entries)? = all["aps"] else {
            throw Self.unusable("it has no dictionary 'aps'. Put alert, badge and sound into one")
        }
        let aps = PushDictionary(entries, path: "aps")
        content = NotificationContent()
        content.userInfo = all
        try Self.readAlert(of: aps, into: &content)
        try aps.set(&content, isAlert: false)
        content.sound = try PushSound.read(aps)
        isMutable = try aps.flag("mutable-content")
        isContentAvailable = try aps.flag("content-available")
        target = try PushDictionary(all, path: "").text("Simulator Target Bundle")
        showsAlert = content.hasText
    }

    /// Fails where a collapse identifier cannot be used.
    public static func check(
        collapseIdentifier identifier: String
    ) throws(NotificationError) {
        guard (1...maximumCollapseIdentifier).contains(identifier.utf8.count) else {
            throw NotificationError(
                .invalidArgument,
                "The collapse identifier has \(identifier.utf8.count) bytes; it must have 1 to "
                    + "\(maximumCollapseIdentifier).")
        }
    }

    private static func dictionary(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> [String: PropertyListValue] {
        do throws(JSONError) {
            guard case .dictionary(let entries)? = try JSONReader.value(of: bytes) else {
                throw JSONError(line: 1, column: 1, problem: "an object was expected")
            }
            return entries
        } catch {
            throw unusable("it is not a JSON object: \(error). Correct it there")
        }
    }

    /// A text with a key also shows something where the key is not found: the plain text beside it,
    /// or the key.
    private static func readAlert(
        of aps: PushDictionary, into content: inout NotificationContent
    ) throws(NotificationError) {
        if case .string(let body)? = aps.entries["alert"] {
            content.body = body
            return
        }
        guard let alert = try aps.dictionary("alert", or: "a string") else { return }
        let title = try alert.localized("title-loc-key", "title-loc-args")
        let subtitle = try alert.localized("subtitle-loc-key", "subtitle-loc-args")
        let body = try alert.localized("loc-key", "loc-args")
        content.title = try alert.text("title") ?? title?.key ?? ""
        content.subtitle = try alert.text("subtitle") ?? subtitle?.key ?? ""
        content.body = try alert.text("body") ?? body?.key ?? ""
        let texts = ContentLocalization(title: title, subtitle: subtitle, body: body)
        content.localization = texts.isEmpty ? nil : texts
        try alert.set(&content, isAlert: true)
    }

    static func unusable(_ reason: String) -> NotificationError {
        NotificationError(.invalidArgument, "The push payload cannot be used: \(reason).")
    }
}
