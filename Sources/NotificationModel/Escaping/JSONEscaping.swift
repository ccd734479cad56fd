/// Strings in JSON (RFC 8259).
package enum JSONEscaping {
    /// A string in its quotes, on one line.
    ///
    /// Scalars that move a terminal's cursor or change the text direction become `\u` escapes.
    /// So the line is harmless on a terminal, and every reader still gets the original string.
    package static func string(_ text: String) -> String {
        let inner = text.replacingScalars { scalar in
            if scalar == "\"" { return #"\""# }
            return lineEscapes[scalar]
                ?? (TerminalEscaping.isHarmful(scalar) ? escape(scalar) : nil)
        }
        return "\"\(inner)\""
    }

    /// A scalar beyond the basic plane becomes two escapes, one for each unit of UTF-16.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar)?.map { #"\u"# + hexadecimal($0, width: 4) }.joined() ?? ""
    }
}
