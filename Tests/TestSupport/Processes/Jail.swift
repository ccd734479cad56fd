internal import Foundation

/// A separate root directory for a program, as a Flatpak app has.
///
/// The root has the folders of the machine, and the file `.flatpak-info`, which names the app.
package enum Jail {
    /// Whether this user may make namespaces of these kinds.
    package static func canUnshare(_ flags: [String]) -> Bool {
        guard RunningProgram.path(of: "unshare") != nil else { return false }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare"] + flags + ["true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Whether this user may make such a root.
    package static var isPossible: Bool { getuid() == 0 && canUnshare(["-m"]) }

    /// The message of a skipped test.
    package static let skipReason = "only the superuser may give a program a root of its own here"

    /// Returns the command prefix that runs a program as this app.
    ///
    /// The program's root is the empty folder `root`.
    package static func wrapper(root: String, app: String) throws -> [String] {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return ["unshare", "-m", "sh", "-ec", script, "sh", root, app]
    }

    private static let script = """
        root=$1 app=$2; shift 2
        for folder in /*; do
            [ -d "$folder" ] || continue
            mkdir -p "$root$folder" && mount --rbind "$folder" "$root$folder"
        done
        printf '[Application]\\nname=%s\\n[Instance]\\ninstance-id=1\\n' "$app" \\
            >"$root/.flatpak-info"
        # xdg-desktop-portal reads this file since version 1.20, to find the process of the app.
        instance="${XDG_RUNTIME_DIR:?}/.flatpak/1"
        mkdir -p "$instance"
        printf '{"child-pid": %s}\n' $$ >"$instance/bwrapinfo.json"
        exec chroot "$root" "$@"
        """
}
