/// Escapes text for XML, for notification servers, for dialog programs and for manual pages.
package enum MarkupEscaping {
    /// Escapes a text with XML's five entities only.
    ///
    /// A server escapes the ampersand of any other entity, so the user would see the entity's code.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
        return text.replacingScalars([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
        ])
    }

    /// A whole text for kdialog, marked as rich text: Qt would otherwise guess the format.
    package static func richText(_ text: String) -> String {
        // kdialog treats a backslash before a letter as an escape.
        let body = text.replacingScalars([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "<br>", "\\": "&#92;",
        ])
        return "<qt>\(body)</qt>"
    }

    /// The label of a button whose format Qt guesses: Qt treats a text with a tag as rich text.
    ///
    /// A text without `<` stays unchanged: it is plain to Qt, which would draw the entities. Quotes
    /// also stay, because Qt's rich text has no entity for an apostrophe.
    package static func label(_ text: String) -> String {
        guard text.unicodeScalars.contains("<") else { return text }
        return text.replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }

    /// The label of a button that Qt or KDE's Kirigami draws.
    ///
    /// A plain `&` would mark a shortcut, and would not be drawn. Kirigami also doubles an `&` that
    /// precedes a space, so that space becomes a no-break space.
    package static func mnemonicLabel(_ text: String) -> String {
        var previous: Unicode.Scalar?
        return text.replacingScalars { scalar in
            defer { previous = scalar }
            if scalar == "&" { return "&&" }
            return scalar == " " && previous == "&" ? "\u{A0}" : nil
        }
    }

    /// The label of zenity's field.
    ///
    /// A plain backslash would begin an escape, and a plain underscore would mark a shortcut.
    package static func zenityLabel(_ text: String) -> String {
        text.replacingScalars(["\\": #"\\"#, "_": "__"])
    }

    /// The label of an extra button of zenity: a plain underscore would mark a shortcut.
    package static func zenityButton(_ text: String) -> String {
        text.replacingScalars(["_": "__"])
    }

    /// Escapes a text line of mdoc(7), so that no reader treats the line as a macro.
    package static func manual(_ text: String) -> String {
        let escaped = text.replacingScalars([
            "\\": #"\e"#, "-": #"\-"#, "\n": " ", "\r": " ",
        ])
        let first = escaped.unicodeScalars.first
        return first == "." || first == "'" ? #"\&"# + escaped : escaped
    }

    /// An argument of an mdoc(7) macro.
    ///
    /// A plain double quote would begin or end the argument.
    package static func manualArgument(_ text: String) -> String {
        manual(text).replacingScalars(["\"": #"\(dq"#])
    }
}
