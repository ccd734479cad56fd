internal import Glibc
internal import NotificationModel
internal import Reactor

/// Tocsin's programs in the directory of this program, or where packages install them.
package enum CompanionProgram {
    /// The path of a program beside this one, or where packages install it.
    ///
    /// The result is nil if neither exists, or if this program has special rights.
    package static func installed(_ name: String) -> String? {
        guard !Subprocess.hasSpecialRights else { return nil }
        let places = [
            beside(name), beside("../libexec/" + name), "/usr/local/libexec/" + name,
            "/usr/libexec/" + name,
        ]
        return places.lazy.compactMap(\.self).first { access($0, X_OK) == 0 }
    }

    /// The path of this program.
    package static var executable: String? { SymbolicLink.target(of: "/proc/self/exe") }

    static func beside(_ name: String) -> String? {
        guard let path = executable, let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }
}
