/// A remote notification, read from a payload that APNs and `xcrun simctl push` accept.
///
/// Source: developer.apple.com, "Generating a remote notification".
public struct PushPayload: Hashable, Sendable {
    /// The largest payload, in bytes.
    public static let maximumSize = Limits.pushPayload.most

    /// The notification's content, whose user info is the whole payload without `apns-headers`.
    public var content: NotificationContent
    /// The app that the payload itself names, as `simctl` files do.
    public var target: String?
    /// Whether the app's service extension may change the notification.
    public var isMutable: Bool
    /// Whether the payload asks to wake the app.
    ///
    /// The notification centre passes the payload to a running app, and starts no app for it.
    public var isContentAvailable: Bool
    /// Whether there is a text to show.
    public var showsAlert: Bool
    /// The headers in the payload itself, under the key `apns-headers`.
    ///
    /// A Web Push message reaches the app's computer without APNs headers, so a server writes the
    /// headers into the encrypted payload.
    public var headers: PushHeaders

    /// Reads a payload.
    ///
    /// - Throws: `invalidArgument` if the payload is too large or malformed; the message says why.
    public init(_ bytes: [UInt8]) throws(NotificationError) {
        guard bytes.count <= Self.maximumSize else {
            throw Self.unusable(
                "it has \(bytes.count) bytes, and at most \(Self.maximumSize) are allowed. Shorten "
                    + "it, or let the app fetch the rest")
        }
        let all = try Self.dictionary(bytes)
        guard case .dictionary(let entries)? = all["aps"] else {
            throw Self.unusable("it has no dictionary 'aps'. Put alert, badge and sound into one")
        }
        let aps = PushDictionary(entries, path: "aps")
        content = NotificationContent()
        content.userInfo = all
        // The app does not get the headers, as on Apple's platforms.
        content.userInfo[Self.headersKey] = nil
        let payload = PushDictionary(all, path: "")
        headers =
            try payload.dictionary(Self.headersKey, or: "nothing").map {
                dictionary throws(NotificationError) in try dictionary.headers()
            } ?? PushHeaders()
        try Self.readAlert(of: aps, into: &content)
        try aps.set(&content, isAlert: false)
        content.sound = try aps.sound()
        isMutable = try aps.flag("mutable-content")
        isContentAvailable = try aps.flag("content-available")
        target = try payload.text("Simulator Target Bundle")
        showsAlert = content.hasText
    }

    private static let headersKey = "apns-headers"

    private static func dictionary(
        _ bytes: [UInt8]
    ) throws(NotificationError) -> [String: PropertyListValue] {
        do throws(JSONError) {
            guard case .dictionary(let entries)? = try JSONReader.value(of: bytes) else {
                throw JSONError(line: 1, column: 1, problem: "an object was expected")
            }
            return entries
        } catch {
            throw unusable("it is not a JSON object: \(error). Correct the JSON at that place")
        }
    }

    /// Reads the texts of the alert, in plain form or as keys of the app's localisation.
    ///
    /// If the localisation lacks a key, the popup shows the plain text beside the key, or else
    /// the key.
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

/// A dictionary in a push payload.
///
/// A missing key is nil, and an unknown key is ignored. A value of a wrong type is an error that
/// names its key.
struct PushDictionary {
    let entries: [String: PropertyListValue]
    private let path: String

    init(_ entries: [String: PropertyListValue], path: String) {
        self.entries = entries
        self.path = path
    }

    func text(_ key: String) throws(NotificationError) -> String? {
        switch entries[key] {
        case nil: return nil
        case .string(let text): return text
        default: throw wrong(key, "a string")
        }
    }

    func number(_ key: String) throws(NotificationError) -> Double? {
        switch entries[key] {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .real(let number): return number
        default: throw wrong(key, "a number")
        }
    }

    /// Sets each content field whose push name is a key of this dictionary.
    func set(
        _ content: inout NotificationContent, isAlert: Bool
    ) throws(NotificationError) {
        for field in NotificationContent.fields.fields {
            guard let push = field.push, push.isInAlert == isAlert, let value = entries[push.name]
            else { continue }
            do throws(RecordError) {
                try field.setters[0].set(&content, Self.recordValue(value))
            } catch {
                throw PushPayload.unusable("'\(name(push.name))' \(error.problem)")
            }
            do throws(NotificationError) {
                try field.check?(content) { "the push payload" }
            } catch {
                throw NotificationError(.invalidArgument, error.message)
            }
        }
    }

    /// Treats 5.0 as a whole number: some senders write every number with a fraction.
    private static func recordValue(_ value: PropertyListValue) -> RecordValue {
        if case .real(let number) = value, let whole = Int64(exactly: number) {
            return .integer(whole)
        }
        return RecordValue(value)
    }

    /// Whether a flag is set; Apple writes 1 for yes.
    func flag(_ key: String) throws(NotificationError) -> Bool {
        if case .boolean(let flag)? = entries[key] { return flag }
        return try number(key) == 1
    }

    func dictionary(
        _ key: String, or other: String
    ) throws(NotificationError) -> PushDictionary? {
        switch entries[key] {
        case nil: return nil
        case .dictionary(let inner): return PushDictionary(inner, path: name(key))
        default: throw wrong(key, "\(other) or a dictionary")
        }
    }

    func localized(
        _ key: String, _ arguments: String
    ) throws(NotificationError) -> LocalizedText? {
        guard let name = try text(key) else { return nil }
        return LocalizedText(key: name, arguments: try texts(arguments))
    }

    /// Reads an array of strings; a number in it becomes text, although Apple allows only strings.
    private func texts(_ key: String) throws(NotificationError) -> [String] {
        guard let value = entries[key] else { return [] }
        guard case .array(let elements) = value else { throw wrong(key, "an array of strings") }
        var texts: [String] = []
        for element in elements {
            switch element {
            case .string(let text): texts.append(text)
            case .integer(let number): texts.append(String(number))
            case .real(let number): texts.append(String(number))
            default: throw wrong(key, "an array of strings")
            }
        }
        return texts
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func wrong(_ key: String, _ wanted: String) -> NotificationError {
        PushPayload.unusable("'\(name(key))' must be \(wanted)")
    }
}

extension PushDictionary {
    /// The headers of APNs, under the names that a server uses for APNs.
    fileprivate func headers() throws(NotificationError) -> PushHeaders {
        var headers = PushHeaders()
        headers.collapseIdentifier = try text("apns-collapse-id")
        if let number = try number("apns-priority") {
            guard let whole = Int64(exactly: number) else {
                throw PushHeaders.unknownPriority("\(number)")
            }
            headers.priority = try PushHeaders.priority(whole)
        }
        // APNs reads 0 as "show at once or never". The date 1970 has the same effect.
        if let seconds = try number("apns-expiration") {
            try Limits.date.check(seconds, of: "the push")
            headers.expiration = Instant(microseconds: Int64(seconds) * 1_000_000)
        }
        return headers
    }

    /// The key `sound` of `aps`: a name, or a dictionary for critical alerts.
    func sound() throws(NotificationError) -> NotificationSound? {
        if case .string(let name)? = entries["sound"] {
            return Self.source(name).map { NotificationSound($0) }
        }
        guard let sound = try dictionary("sound", or: "a string") else { return nil }
        let isCritical = try sound.flag("critical")
        let volume = try sound.number("volume").map { Float(min(max($0, 0), 1)) }
        return Self.source(try sound.text("name") ?? "default").map {
            NotificationSound(
                $0, isCritical: isCritical, volume: isCritical ? volume : nil)
        }
    }

    private static func source(_ name: String) -> NotificationSound.Source? {
        // APNs senders write an empty name for silence.
        if name.isEmpty { return nil }
        // A push comes from outside: it may name a sound of the app, but no path of a file.
        return name == "default" || name.hasPrefix("/") ? .standard : .named(name)
    }
}
