/// The control groups of a process, as proc(5) lists them.
enum ControlGroups {
    /// The names of units with this prefix; the innermost of each line comes first.
    static func units(in text: String, prefix: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            line.split(separator: "/").reversed().filter { $0.hasPrefix(prefix) }.map(String.init)
        }
    }
}
