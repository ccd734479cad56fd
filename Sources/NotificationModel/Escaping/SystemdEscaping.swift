/// Names and arguments for systemd's manager.
package enum SystemdEscaping {
    /// A part of a unit's name.
    ///
    /// Source: systemd.unit(5), "String Escaping for Inclusion in Unit Names".
    package static func unitName(_ text: String) -> String {
        var isFirst = true
        return text.replacingBytes { byte in
            defer { isFirst = false }
            let isPlain =
                byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
                || (byte == UInt8(ascii: ".") && !isFirst)
            return isPlain ? nil : #"\x"# + hexadecimal(byte, width: 2)
        }
    }

    /// A unit's name as the last part of the unit's object path.
    ///
    /// Source: sd_bus_path_encode(3); a leading digit is escaped too.
    package static func busLabel(_ text: String) -> String {
        var isFirst = true
        return text.replacingBytes { byte in
            defer { isFirst = false }
            let isPlain = byte.isASCIILetter || byte.isASCIIDigit && !isFirst
            return isPlain ? nil : "_" + hexadecimal(byte, width: 2)
        }
    }

    /// An argument of a command.
    ///
    /// Each dollar sign is doubled, because the manager would replace a variable such as `$HOME`.
    ///
    /// Source: systemd.service(5), "Command lines".
    package static func argument(_ text: String) -> String {
        text.replacingScalars(["$": "$$"])
    }
}
