/// A file of groups of keys, as KDE and LXQt keep their settings.
///
/// Source: KConfig, src/core/kconfigini.cpp.
struct GroupedText: Hashable, Sendable {
    private var values: [String: [String: String]] = [:]

    /// Reads texts, of which a later one overrides those before it.
    init(_ texts: [String]) {
        for text in texts {
            var group = ""
            for line in text.split(separator: "\n") {
                let line = Self.trimmed(line)
                if line.hasPrefix("#") { continue }
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

    /// A truth value, in any of KConfig's words for it.
    func flag(_ key: String, in group: String) -> Bool? {
        switch value(key, in: group)?.lowercased() {
        case "true", "on", "yes", "1": true
        case "false", "off", "no", "0": false
        default: nil
        }
    }

    /// A text with one key set and everything else as it was.
    static func text(
        _ text: String, setting key: String, to value: String, in group: String
    )
        -> String
    {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while line.last?.isWhitespace == true { line.removeLast() }
        return line.drop { $0.isWhitespace }
    }

    /// The names between the outermost brackets; a mark such as `[$i]` is none of them.
    private static func group(_ line: Substring) -> String? {
        guard line.hasPrefix("["), line.hasSuffix("]") else { return nil }
        let names = line.dropFirst().dropLast().split(separator: "][").filter { !$0.hasPrefix("$") }
        return names.joined(separator: "][")
    }

    /// A key without its marks, such as `[$i]`, and its value.
    private static func entry(_ line: Substring) -> (String, String)? {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let name = trimmed(line[..<sign])
        let key = name.firstIndex(of: "[").map { name[..<$0] } ?? name
        return (String(key), String(trimmed(line[line.index(after: sign)...])))
    }
}
