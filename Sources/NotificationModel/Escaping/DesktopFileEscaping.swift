/// Values of desktop files, D-Bus service files and KConfig files.
///
/// Sources: Desktop Entry Specification 1.5, "Possible value types" and "The Exec key"; KConfig,
/// src/core/kconfigini.cpp, `stringToPrintable`.
package enum DesktopFileEscaping {
    /// The text as a value on one line; readers keep the spaces at its start and end.
    package static func value(_ text: String) -> String {
        edgesEscaped(text.replacingScalars { $0 == "\0" ? "" : lineEscapes[$0] })
    }

    /// Escapes spaces at the edges of a value: readers drop plain spaces there, but not `\s`.
    private static func edgesEscaped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let leading = scalars.prefix { $0 == " " }.count
        guard leading < scalars.count else { return String(repeating: #"\s"#, count: leading) }
        let trailing = scalars.reversed().prefix { $0 == " " }.count
        return String(repeating: #"\s"#, count: leading)
            + String(String.UnicodeScalarView(scalars.dropFirst(leading).dropLast(trailing)))
            + String(repeating: #"\s"#, count: trailing)
    }

    /// The text of a value, as a reader of desktop files understands it; the inverse of `value`.
    ///
    /// An unknown escape stays unchanged.
    package static func text(ofValue value: String) -> String {
        let escapes: [Unicode.Scalar: Unicode.Scalar] = [
            "s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\",
        ]
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                if let text = escapes[scalar] {
                    result.append(text)
                } else {
                    result.append(contentsOf: ["\\", scalar])
                }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("\\") }
        return String(result)
    }

    /// An argument of `Exec`, in double quotes if it needs them.
    ///
    /// Percent signs are doubled: a single percent sign would begin a field code.
    package static func execArgument(_ text: String) -> String {
        let escaped = text.replacingScalars([
            "%": "%%", "\"": #"\""#, "`": #"\`"#, "$": #"\$"#, "\\": #"\\"#, "\0": "",
        ])
        return ShellQuoting.isPlain(text) ? escaped : "\"\(escaped)\""
    }

    /// The name of a KConfig group, with escaped brackets and dollar signs.
    ///
    /// A plain bracket would begin or end a group. A plain dollar sign would begin an option such
    /// as `[$i]`.
    package static func group(_ name: String) -> String {
        name.replacingScalars { scalar in
            if let escape = lineEscapes[scalar] { return escape }
            guard scalar.value < 0x20 || "[]$".unicodeScalars.contains(scalar) else { return nil }
            return #"\x"# + hexadecimal(scalar.value, width: 2)
        }
    }
}
