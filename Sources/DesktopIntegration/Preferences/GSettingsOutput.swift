/// The keys of one GSettings schema and their values in GVariant's text form, as
/// `gsettings list-recursively` prints them.
///
/// Source: gsettings(1); GLib, "GVariant Text Format".
struct GSettingsOutput: Hashable, Sendable {
    private var values: [String: String] = [:]

    /// Reads lines of `schema key value`.
    init(_ output: String) {
        for line in output.unicodeScalars.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            if parts.count == 3 { values[String(parts[1])] = String(parts[2]) }
        }
    }

    subscript(_ key: String) -> String? { values[key] }

    func flag(_ key: String) -> Bool? { values[key].flatMap { Bool($0) } }

    /// The strings of an `as` value; nil for another type or for escaped strings.
    func strings(_ key: String) -> [String]? {
        guard let text = values[key] else { return nil }
        if text == "@as []" || text == "[]" { return [] }
        let scalars = text.unicodeScalars
        guard scalars.first == "[", scalars.last == "]" else { return nil }
        var strings: [String] = []
        var rest = scalars.dropFirst().dropLast()
        while let quote = rest.first {
            guard quote == "'" || quote == "\"" else { return nil }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else { return nil }
            let string = rest[..<end]
            // GNOME's names of apps have only letters, digits and hyphens, so an escaped string is
            // not a name.
            guard !string.contains("\\") else { return nil }
            strings.append(String(string))
            rest = rest[end...].dropFirst()
            if rest.starts(with: [",", " "]) { rest = rest.dropFirst(2) }
        }
        return strings
    }
}
