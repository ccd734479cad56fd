/// Texts and lines of iCalendar objects.
///
/// Source: RFC 5545, 3.1 and 3.3.11.
package enum ICalendarEscaping {
    /// The longest line, in bytes without its line end.
    private static let maximumLength = 75

    /// Escapes a text as a value.
    ///
    /// Line breaks become `\n`, tabs stay, and all other ASCII control characters are left out. A
    /// backslash, a semicolon or a comma gets a backslash before it.
    package static func text(_ text: String) -> String {
        var previous: Unicode.Scalar?
        return text.replacingScalars { scalar in
            defer { previous = scalar }
            switch scalar {
            case "\\", ";", ",": return "\\\(scalar)"
            case "\n" where previous == "\r": return ""
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": return #"\n"#
            case "\t": return nil
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: return ""
            default: return nil
            }
        }
    }

    /// The text of a value, with its escapes undone.
    package static func unescaped(_ value: String) -> String {
        var isEscaped = false
        return value.replacingScalars { scalar in
            guard isEscaped else {
                isEscaped = scalar == "\\"
                return isEscaped ? "" : nil
            }
            isEscaped = false
            return scalar == "n" || scalar == "N" ? "\n" : nil
        }
    }

    /// A line with its line end, folded between scalars so that no part is too long.
    package static func folded(_ line: String) -> String {
        var length = 0
        return line.replacingScalars { scalar in
            let size = UTF8.width(scalar)
            length += size
            guard length > maximumLength else { return nil }
            // The space at the start of a folded part counts too.
            length = size + 1
            return "\r\n \(scalar)"
        } + "\r\n"
    }
}
