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
    init?(_ line: String) {
        var rest = line[...]
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard !name.isEmpty else { return nil }
        self.name = name.uppercased()
        rest = rest.dropFirst(name.count)
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != ":" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            parameters[key.uppercased()] = Self.parameter(&rest)
        }
        guard rest.first == ":" else { return nil }
        value = String(rest.dropFirst())
    }

    /// The value up to the next `;` or `:` outside of quotes.
    private static func parameter(_ rest: inout Substring) -> String {
        var result = ""
        var isQuoted = false
        while let character = rest.first, isQuoted || (character != ";" && character != ":") {
            if character == "\"" { isQuoted.toggle() } else { result.append(character) }
            rest = rest.dropFirst()
        }
        return result
    }

    /// The value of a text, without its escapes (RFC 5545, 3.3.11).
    var text: String {
        var result = ""
        var isEscaped = false
        for character in value {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (true, "n"), (true, "N"):
                result.append("\n")
                isEscaped = false
            default:
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }

    /// A text as a value.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\", ";", ",": result += "\\\(character)"
            case _ where character.isNewline: result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }

    /// The lines of an object without their folds: a line that begins with a space goes on the one
    /// before it.
    static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first == " " || line.first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// A line folded to 75 bytes (RFC 5545, 3.1).
    static func folded(_ line: String) -> String {
        var result = ""
        var length = 0
        for character in line {
            let size = String(character).utf8.count
            if length + size > 74 {
                result += "\r\n "
                length = 1
            }
            result.append(character)
            length += size
        }
        return result + "\r\n"
    }
}
