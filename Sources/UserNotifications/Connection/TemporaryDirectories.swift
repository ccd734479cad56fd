/// The directories whose files have no use after they were attached.
struct TemporaryDirectories: Sendable {
    private let paths: [String]

    init(_ paths: [String]) {
        self.paths = paths.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }

    /// Those of the Filesystem Hierarchy Standard, and the one that `TMPDIR` names.
    static let system = TemporaryDirectories([
        "/tmp", "/var/tmp", FileManager.default.temporaryDirectory.path,
    ])

    /// Whether this file lies in one of them, links on the way to it resolved.
    func contain(_ path: String) -> Bool {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            .resolvingSymlinksInPath().path
        return paths.contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }
}
