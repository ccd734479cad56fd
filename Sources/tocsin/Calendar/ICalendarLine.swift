internal import NotificationModel

/// One content line of an iCalendar object: `NAME;PARAMETER=value:value`.
///
/// Source: RFC 5545, 3.1.
struct ICalendarLine: Hashable {
    /// In upper case.
    var name: String
    /// By their names in upper case.
    var parameters: [String: String] = [:]
    /// As it is written; texts have escapes.
    var value: String

    /// Reads an unfolded line; nil for one that is none.
    ///
    /// By scalars, as every other reader of iCalendar.
    init?(_ line: String) {
        var rest = line.unicodeScalars[...]
        let name = rest.prefix {
            $0 == "-"
                || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
        guard !name.isEmpty else { return nil }
        self.name = String(name).uppercased()
        rest = rest[name.endIndex...]
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != ":" && $0 != ";" }
            rest = rest[key.endIndex...]
            guard rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            parameters[String(key).uppercased()] = Self.parameter(&rest)
        }
        guard rest.first == ":" else { return nil }
        value = String(rest.dropFirst())
    }

    /// The value up to the next `;` or `:` outside of quotes.
    private static func parameter(_ rest: inout Substring.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        var isQuoted = false
        while let scalar = rest.first, isQuoted || (scalar != ";" && scalar != ":") {
            if scalar == "\"" { isQuoted.toggle() } else { result.append(scalar) }
            rest = rest.dropFirst()
        }
        return String(result)
    }

    /// The value of a text, without its escapes.
    var text: String { ICalendarEscaping.unescaped(value) }

    /// The lines of an object without their folds: a line that begins with a space goes on the one
    /// before it.
    ///
    /// Only a line feed ends a line, perhaps behind a carriage return: other breaks are text.
    static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        for part in text.unicodeScalars.split(separator: "\n") {
            let line = part.last == "\r" ? part.dropLast() : part
            if line.isEmpty { continue }
            if line.first == " " || line.first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += String(line.dropFirst())
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }
}
