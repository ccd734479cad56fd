/// Facts from the bus and the kernel about the program behind a connection.
struct CallerFacts: Hashable, Sendable {
    /// The file `/.flatpak-info` in the program's root folder.
    enum Flatpak: Hashable, Sendable {
        /// The program's root folder has no such file.
        case none
        /// The text of the file; nil if it cannot be read safely.
        case info(String?)
    }

    /// The user id; nil if the bus does not report it.
    var user: UInt32?
    /// Whether the program sees the same files, processes and users as this process; false if
    /// unknown.
    var sharesOurWorld = false
    var flatpak = Flatpak.none
    /// The program's control groups, as proc(5) lists them.
    var controlGroups = ""
    /// The label of a security module, as the bus reports it.
    var label = ""
    /// The absolute path of the program; empty if unknown.
    var executable = ""
}
