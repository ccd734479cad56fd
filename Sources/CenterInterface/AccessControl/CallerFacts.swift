/// What the bus and the kernel say of the program behind a connection.
struct CallerFacts: Hashable, Sendable {
    /// What Flatpak says at the root of the program's files.
    enum Flatpak: Hashable, Sendable {
        /// Nothing.
        case none
        /// This text, or something that cannot be read safely.
        case info(String?)
    }

    /// The user; nil where the bus does not tell.
    var user: UInt32?
    /// Whether it sees the same files, processes and users as we do; false also where that cannot
    /// be told.
    var sharesOurWorld = false
    /// What is at the root of its files.
    var flatpak = Flatpak.none
    /// Its control groups, as proc(5) lists them.
    var controlGroups = ""
    /// The label of a security module, by the bus.
    var label = ""
    /// The absolute path of its program; empty where that cannot be told.
    var executable = ""
}
