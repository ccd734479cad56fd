/// Values in GLib's text format, as `gsettings set` reads them.
///
/// Source: https://docs.gtk.org/glib/gvariant-text-format.html
package enum GVariantEscaping {
    /// A string.
    package static func string(_ text: String) -> String {
        let inner = text.replacingScalars { scalar in
            switch scalar {
            case "'": #"\'"#
            // A NUL would end the GVariant string.
            case "\0": ""
            case _ where lineEscapes[scalar] != nil: lineEscapes[scalar]
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                #"\u"# + hexadecimal(scalar.value, width: 4)
            default: nil
            }
        }
        return "'\(inner)'"
    }

    /// An array of strings.
    package static func strings(_ texts: [String]) -> String {
        texts.isEmpty ? "@as []" : "[\(texts.map(string).joined(separator: ", "))]"
    }
}
