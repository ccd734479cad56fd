/// A settings file of KDE or LXQt: lines of `key=value` below lines of `[group]`.
///
/// Source: KConfig, src/core/kconfigini.cpp.
struct KeyFile: Hashable, Sendable {
    private var values: [String: [String: String]] = [:]

    /// Reads several files' texts; a later text overrides the keys of earlier texts.
    init(_ texts: [String]) {
        for text in texts {
            var group = ""
            for line in Self.lines(text) {
                let line = Self.trimmed(line)
                if line.utf8.first == UInt8(ascii: "#") { continue }
                if let name = Self.group(line) {
                    group = name
                } else if let (key, value) = Self.entry(line) {
                    values[group, default: [:]][key] = value
                }
            }
        }
    }

    /// The value of a key; the names of nested groups are joined by `][`.
    func value(_ key: String, in group: String) -> String? { values[group]?[key] }

    func flag(_ key: String, in group: String) -> Bool? {
        switch value(key, in: group)?.lowercased() {
        case "true", "on", "yes", "1": true
        case "false", "off", "no", "0": false
        default: nil
        }
    }

    /// Sets one key in a text and leaves all other lines unchanged.
    ///
    /// If the key's line had a flag, such as KDE's `[$i]`, the flag is dropped.
    static func text(
        _ text: String, setting key: String, to value: String, in group: String
    )
        -> String
    {
        var lines = Self.lines(text).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let start = lines.lastIndex { Self.group(trimmed($0[...])) == group }
        guard let start else {
            if lines.last.map({ !$0.isEmpty }) ?? false { lines.append("") }
            return (lines + ["[\(group)]", "\(key)=\(value)", ""]).joined(separator: "\n")
        }
        let rest = lines[(start + 1)...]
        var end = rest.firstIndex { Self.group(trimmed($0[...])) != nil } ?? lines.endIndex
        if let known = lines[(start + 1)..<end].lastIndex(where: {
            entry(trimmed($0[...]))?.0 == key
        }) {
            lines[known] = "\(key)=\(value)"
        } else {
            while end > start + 1, trimmed(lines[end - 1][...]).isEmpty { end -= 1 }
            lines.insert("\(key)=\(value)", at: end)
        }
        return (lines + [""]).joined(separator: "\n")
    }

    /// The lines of a text.
    ///
    /// It splits scalars, because a line feed and the scalar before it can be one `Character`.
    private static func lines(_ text: String) -> [Substring] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var line = line.utf8.drop(while: isSpace)
        while line.last.map(isSpace) == true { line.removeLast() }
        return Substring(line)
    }

    /// The names between the outermost brackets; a flag such as `[$i]` is not a name.
    private static func group(_ line: Substring) -> String? {
        let bytes = line.utf8
        guard bytes.count > 1, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]")
        else { return nil }
        // Brackets inside a name are escaped, so every `][` separates two names.
        let names = bytes.dropFirst().dropLast()
            .split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false)
            .enumerated().map { index, part in
                index > 0 && part.first == UInt8(ascii: "[") ? part.dropFirst() : part
            }
        return names.filter { $0.first != UInt8(ascii: "$") }
            .map { String(Substring($0)) }.joined(separator: "][")
    }

    /// A key, without flags such as `[$i]`, and the key's value.
    private static func entry(_ line: Substring) -> (String, String)? {
        guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = trimmed(line[..<sign])
        let key = name.utf8.firstIndex(of: UInt8(ascii: "[")).map { name[..<$0] } ?? name
        let value = Substring(line.utf8[sign...].dropFirst())
        return (String(key), String(trimmed(value)))
    }
}
