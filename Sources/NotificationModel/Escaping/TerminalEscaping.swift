/// Text that is shown on a terminal or written to a log.
package enum TerminalEscaping {
    /// Whether a scalar can move the cursor, start a control sequence, end a line or change the
    /// direction of the text.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20..<0x7F).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isJoiner(scalar)
        default: false
        }
    }

    /// The text on one line.
    ///
    /// Line breaks and control characters become spaces. Format characters such as direction marks
    /// are left out, but zero-width joiners stay.
    package static func line(_ text: String) -> String {
        guard !isPrintableASCII(text), text.unicodeScalars.contains(where: isHarmful) else {
            return text
        }
        return text.replacingScalars { scalar in
            guard isHarmful(scalar) else { return nil }
            return scalar.properties.generalCategory == .format ? "" : " "
        }
    }

    private static func isPrintableASCII(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices where !(0x20..<0x7F).contains(bytes[index]) { return false }
        return true
    }

    /// Makes output safe for a terminal.
    ///
    /// Line ends, tabs and colour sequences stay.
    ///
    /// Every other harmful scalar becomes text such as `\u{1b}`. This function is the last guard:
    /// the code that composes output already passes foreign texts through `line`.
    package static func output(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }) else {
            return text
        }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let colour = colour(at: rest) {
                result.append(contentsOf: colour)
                rest = rest[colour.endIndex...]
                continue
            }
            rest = rest.dropFirst()
            if isHarmful(scalar), scalar != "\n", scalar != "\t" {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The colour sequence at the start of the text: ESC, `[`, digits and semicolons, `m` (ECMA-48,
    /// "Select Graphic Rendition").
    private static func colour(
        at text: String.UnicodeScalarView.SubSequence
    ) -> String.UnicodeScalarView.SubSequence? {
        guard text.starts(with: ["\u{1B}", "["]) else { return nil }
        let parameters = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard parameters.endIndex < text.endIndex, text[parameters.endIndex] == "m",
            parameters.count <= 8
        else { return nil }
        return text[...parameters.endIndex]
    }

    fileprivate static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16))}"
    }

    /// The zero-width joiners, which some scripts and emoji need.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200C || scalar.value == 0x200D
    }
}

extension String {
    /// The text in quotes for an error message, cut at `limit` scalars, with escaped control
    /// characters.
    ///
    /// Input can therefore neither forge a log line nor flood the log.
    package func quotedForMessage(limit: Int = 80) -> String {
        let shown = UnicodeScalarView(unicodeScalars.prefix(limit))
        let escaped = String(shown).replacingScalars { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                TerminalEscaping.escape(scalar)
            default: nil
            }
        }
        return "'" + escaped + (unicodeScalars.dropFirst(limit).isEmpty ? "'" : "…'")
    }
}
