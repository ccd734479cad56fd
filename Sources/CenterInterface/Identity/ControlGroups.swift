/// The control groups of a process, as proc(5) lists them.
enum ControlGroups {
    /// The names of the units with this prefix, beginning with the innermost unit of each line.
    static func units(in text: String, prefix: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            line.split(separator: "/").reversed().filter { $0.hasPrefix(prefix) }.map(String.init)
        }
    }
}
