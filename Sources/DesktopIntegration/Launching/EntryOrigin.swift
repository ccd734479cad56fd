internal import Glibc
internal import NotificationModel

/// The origin of a desktop file; it decides whether the file's commands may run on the host.
///
/// A sandboxed app brings its own desktop file. When Flatpak and snapd export the file, they leave
/// Tocsin's keys in it unchanged. A command in such a key must never run outside the sandbox. All
/// code that takes a command from a desktop file checks the file's origin first.
enum EntryOrigin: Hashable {
    /// A system package or the user installed the file.
    case host
    /// A sandboxed app brought the file.
    case sandbox

    /// The most symbolic links that may lead to a file, as in path_resolution(7).
    private static let linkLimit = 40

    /// Decides for a file; `isMarked` means that the file has a key of Flatpak or snapd.
    ///
    /// A file counts as `sandbox` if the file, or a link on the way to it, lies in a folder of
    /// sandboxes. Flatpak and snapd export files by such links. A file whose links cannot be
    /// followed also counts as `sandbox`.
    init(file: String, isMarked: Bool) {
        let isExported =
            Self.places(of: file)?.contains { Self.isOfSandbox($0) } ?? true
        self = isMarked || isExported ? .sandbox : .host
    }

    /// The file's path, its resolved path, and the target of each link on the way.
    ///
    /// The result is nil if the links cannot be followed.
    private static func places(of file: String) -> [String]? {
        guard file.hasPrefix("/"), let end = file.resolvedPath else { return nil }
        var places = [file, end]
        var place = file
        for _ in 0..<linkLimit {
            // Resolve the folder, too, because links may lead to it.
            let (folder, name) = split(place)
            guard let folder = folder.resolvedPath else { return nil }
            place = folder == "/" ? "/" + name : folder + "/" + name
            places.append(place)
            guard let target = SymbolicLink.target(of: place) else { return places }
            place = target.hasPrefix("/") ? target : folder + "/" + target
            places.append(place)
        }
        return nil
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }

    /// Whether a path lies in a folder where only sandboxes put desktop files.
    ///
    /// Sources: flatpak(1), "Installations" (`exports/share` links into `app/…/export/share`, and
    /// apps write below `~/.var/app`); snapd, `dirs/dirs.go` (`/var/lib/snapd/desktop`, `/snap`,
    /// `~/snap`); xdg-desktop-portal, `src/dynamic-launcher.c`.
    private static func isOfSandbox(_ path: String) -> Bool {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let runs: [[Substring]] = [
            ["exports", "share", "applications"], ["export", "share", "applications"],
            ["var", "lib", "flatpak"], ["share", "flatpak"], [".var", "app"],
            ["var", "lib", "snapd"],
            ["xdg-desktop-portal", "applications"],
        ]
        if runs.contains(where: { parts.contains($0) }) { return true }
        let isInHome = parts.count > 2 && parts[0] == "home" && parts[2] == "snap"
        let isInRoot = parts.count > 1 && parts[0] == "root" && parts[1] == "snap"
        return parts.first == "snap" || isInHome || isInRoot
    }
}

extension String {
    /// The path without links; nil if no file is there.
    var resolvedPath: String? {
        guard let resolved = realpath(self, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
