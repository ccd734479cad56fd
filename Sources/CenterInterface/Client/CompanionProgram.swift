internal import Glibc
internal import NotificationModel
internal import Reactor

/// Tocsin's programs in the directory of this program, or where packages install them.
package enum CompanionProgram {
    /// The path of a program beside this one, or where packages install it.
    ///
    /// The result is nil if there is no such program, or if this program has special rights, for
    /// example by setuid.
    package static func installed(_ name: String) -> String? {
        guard !Subprocess.hasSpecialRights else { return nil }
        let places = [
            beside(name), beside("../libexec/" + name), "/usr/local/libexec/" + name,
            "/usr/libexec/" + name,
        ]
        return places.lazy.compactMap(\.self).first { access($0, X_OK) == 0 }
    }

    /// The path of this program.
    package static var executable: String? {
        SymbolicLink.target(of: "/proc/self/exe").map(path(ofLink:))
    }

    /// Removes the kernel's mark of a replaced program from the path that the kernel's link gives.
    ///
    /// When an upgrade replaces the program, the kernel appends " (deleted)" to the link. The new
    /// program has the path without this mark.
    static func path(ofLink link: String) -> String {
        let mark = " (deleted)"
        // The name of a program may really end with this mark.
        guard link.hasSuffix(mark), access(link, F_OK) != 0 else { return link }
        return String(link.dropLast(mark.count))
    }

    static func beside(_ name: String) -> String? {
        guard let path = executable, let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }
}
