/// The directories of temporary files; the centre moves an attached file that lies in one of them.
///
/// The centre never moves a program's own files: an app that is installed below `/tmp` keeps its
/// images.
struct TemporaryDirectories: Sendable {
    /// The suffixes of folders that belong to a program: SwiftPM's resources, and Apple's bundles.
    private static let bundleEndings: Set<String> = ["resources", "bundle", "app", "xctest"]

    private let paths: [String]
    private let own: [String]

    /// Makes a list for a program that keeps its own files in the `own` directories.
    init(_ paths: [String], own: [String] = ownDirectories) {
        self.paths = paths.map(Self.resolved)
        self.own = own.map(Self.resolved)
    }

    /// The directories of the Filesystem Hierarchy Standard, and the one that `TMPDIR` names.
    static let system = TemporaryDirectories([
        "/tmp", "/var/tmp", FileManager.default.temporaryDirectory.path,
    ])

    /// The main bundle, and the directory of the executable, where SwiftPM puts resource bundles.
    static let ownDirectories: [String] = {
        let bundle = Bundle.main
        return [
            bundle.bundlePath, bundle.resourcePath,
            bundle.executableURL?.deletingLastPathComponent().path,
        ].compactMap(\.self).filter { $0 != "/" }
    }()

    /// Whether this file lies in one of the directories and is not the program's own.
    ///
    /// Symbolic links in the path of the file's folder are resolved first.
    func contain(_ path: String) -> Bool {
        let folder = Self.resolved(
            URL(fileURLWithPath: path).deletingLastPathComponent().path)
        guard paths.contains(where: { Self.contains($0, folder) }) else { return false }
        return !own.contains { Self.contains($0, folder) }
            && !Self.bundleEndings.contains { ending in
                folder.split(separator: "/").contains { $0.hasSuffix("." + ending) }
            }
    }

    private static func contains(_ directory: String, _ folder: String) -> Bool {
        folder == directory || folder.hasPrefix(directory + "/")
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
