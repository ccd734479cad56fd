/// The control groups of a process, as proc(5) lists them.
enum ControlGroups {
    /// The names of the units that begin with a prefix, the innermost of each line first.
    static func units(in text: String, prefix: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            line.split(separator: "/").reversed().filter { $0.hasPrefix(prefix) }.map(String.init)
        }
    }
}
