/// A text that is looked up in the app's localisation when its notification is delivered.
///
/// Apple's `localizedUserNotificationString` and the `loc-key` of a push make such a text.
public struct LocalizedText: Hashable, Sendable {
    /// The key in the app's `Localizable.strings`.
    public var key: String
    /// The values that replace `%@` and `%1$@`.
    public var arguments: [String]

    /// Makes a text.
    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}

/// The texts of a notification that are looked up in the app's localisation.
///
/// If a text is not found, the content's own text stays.
public struct ContentLocalization: Hashable, Sendable {
    /// The title.
    public var title: LocalizedText?
    /// The second line.
    public var subtitle: LocalizedText?
    /// The text.
    public var body: LocalizedText?

    /// Makes a value; a text that is nil is not looked up.
    public init(
        title: LocalizedText? = nil, subtitle: LocalizedText? = nil, body: LocalizedText? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Whether there is nothing to look up.
    public var isEmpty: Bool { title == nil && subtitle == nil && body == nil }
}

/// A text with places for arguments: `%@` in order, `%2$@` by number, `%%` for a percent sign.
///
/// `String(format:)` is not used, because a hostile format could make it read any memory.
package struct LocalizedFormat {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text with its places filled; a place without an argument stays.
    ///
    /// In some languages a vowel sign may follow the place directly, as in the Bengali `%@ের`. The
    /// sign and the `@` form one `Character`, so this compares scalars.
    package func filled(with arguments: [String]) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result.append("%")
                rest = rest.dropFirst()
            } else if rest.first == "@" {
                result += (next < arguments.count ? arguments[next] : "%@").unicodeScalars
                next += 1
                rest = rest.dropFirst()
            } else if let (number, after) = Self.position(rest), arguments.indices ~= number - 1 {
                result += arguments[number - 1].unicodeScalars
                rest = after
            } else {
                result.append("%")
            }
        }
        result += rest
        return String(result)
    }

    private static func position(
        _ text: Substring.UnicodeScalarView
    ) -> (Int, Substring.UnicodeScalarView)? {
        let digits = text.prefix { "0"..."9" ~= $0 }
        let after = text[digits.endIndex...]
        guard let number = Int(String(digits)), number > 0,
            after.starts(with: "$@".unicodeScalars)
        else { return nil }
        return (number, after.dropFirst(2))
    }
}
