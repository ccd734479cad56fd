internal import CGio
internal import NotificationModel

/// The `Exec` key of a desktop file as arguments.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key". Like GIO, this type applies a shell's
/// quoting rules but runs no shell.
enum ExecKey {
    /// The program and its arguments for a start that opens no file; nil if the line is unusable.
    static func arguments(of entry: LaunchEntry) -> [String]? {
        guard let words = entry.exec.flatMap(words(of:)) else { return nil }
        let arguments = words.flatMap { expanded($0, entry) }
        return arguments.first?.isEmpty == false ? arguments : nil
    }

    /// Whether the key only starts an app inside the app's sandbox.
    ///
    /// Flatpak and snapd write such keys into the files that they export. The arguments are checked
    /// after the expansion of field codes, because a field code can vanish or become
    /// an option.
    ///
    /// Sources: flatpak, `common/flatpak-dir.c`, `export_desktop_file`; snapd,
    /// `wrappers/desktop.go`.
    static func entersSandbox(_ entry: LaunchEntry) -> Bool {
        guard var words = arguments(of: entry)?[...] else { return false }
        if let first = words.first, ["env", "/usr/bin/env"].contains(first) {
            words = words.dropFirst().drop { $0.hasPrefix("BAMF_DESKTOP_FILE_HINT=") }
        }
        guard let program = words.first else { return false }
        if ["snap", "/usr/bin/snap"].contains(program) {
            return words.dropFirst().first == "run"
        }
        if ["flatpak", "/usr/bin/flatpak"].contains(program) {
            // Other options, such as --filesystem, weaken the sandbox.
            let harmless = ["--branch=", "--arch=", "--command=", "--file-forwarding"]
            return words.dropFirst().first == "run"
                && words.dropFirst(2).prefix { $0.hasPrefix("-") }.allSatisfy { word in
                    harmless.contains { word.hasPrefix($0) }
                }
        }
        return ["/snap/bin/", "/var/lib/snapd/snap/bin/"].contains { folder in
            program.hasPrefix(folder) && !program.dropFirst(folder.count).contains("/")
        }
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

    /// Expands the field codes of one word: file codes vanish, and the icon code becomes two words.
    private static func expanded(_ word: String, _ entry: LaunchEntry) -> [String] {
        if ["%f", "%F", "%u", "%U", "%d", "%D", "%n", "%N", "%v", "%m"].contains(word) {
            return []
        }
        if word == "%i" { return entry.icon.isEmpty ? [] : ["--icon", entry.icon] }
        var isCode = false
        let text = word.replacingScalars { scalar in
            guard isCode else {
                isCode = scalar == "%"
                return isCode ? "" : nil
            }
            isCode = false
            return switch scalar {
            case "%": "%"
            case "c": entry.name
            case "k": entry.file
            default: ""
            }
        }
        return [text]
    }
}
