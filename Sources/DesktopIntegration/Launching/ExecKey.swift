internal import CGio

/// The key `Exec` of a desktop file as arguments.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key". It is read as GIO reads it: quotes by
/// the rules of a shell, which never runs.
enum ExecKey {
    /// The arguments without any file to open, or nil where the line cannot be used.
    static func arguments(of entry: LaunchEntry) -> [String]? {
        guard let words = entry.exec.flatMap(words(of:)) else { return nil }
        let arguments = words.flatMap { expanded($0, entry) }
        return arguments.first?.isEmpty == false ? arguments : nil
    }

    private static func words(of line: String) -> [String]? {
        var count: Int32 = 0
        guard let block = cgio_command_words(line, &count) else { return nil }
        defer { cgio_free(block) }
        var words: [String] = []
        var next = UnsafePointer(block)
        for _ in 0..<count {
            words.append(String(cString: next))
            next += words[words.count - 1].utf8.count + 1
        }
        return words
    }

    /// A word that is nothing but the place of files or of the icon goes, or becomes two.
    private static func expanded(_ word: String, _ entry: LaunchEntry) -> [String] {
        if ["%f", "%F", "%u", "%U", "%d", "%D", "%n", "%N", "%v", "%m"].contains(word) {
            return []
        }
        if word == "%i" { return entry.icon.isEmpty ? [] : ["--icon", entry.icon] }
        var text = ""
        var isCode = false
        for character in word {
            guard isCode else {
                isCode = character == "%"
                if !isCode { text.append(character) }
                continue
            }
            isCode = false
            switch character {
            case "%": text.append("%")
            case "c": text += entry.name
            case "k": text += entry.file
            default: break
            }
        }
        return [text]
    }
}
