internal import Glibc
internal import NotificationModel

/// Reads the files of the system's time zones, with functions that a test can replace.
public struct ZoneFiles: Sendable {
    /// The identity and state of a file.
    ///
    /// If the file changes, its stamp changes.
    public struct Stamp: Hashable, Sendable {
        /// Device and inode.
        public var file: [UInt64]
        /// The time of the last change, in nanoseconds.
        public var changed: Int64
        /// The size in bytes.
        public var size: Int64

        /// Makes a stamp.
        public init(file: [UInt64], changed: Int64, size: Int64) {
            self.file = file
            self.changed = changed
            self.size = size
        }
    }

    /// The contents of a regular file; nil if it cannot be read.
    public var contents: @Sendable (_ path: String) -> [UInt8]?
    /// The stamp of a file, or of the file to which a link leads; nil for a missing file.
    public var stamp: @Sendable (_ path: String) -> Stamp?
    /// The target of a link; nil if the path is not a link.
    public var link: @Sendable (_ path: String) -> String?
    /// The seconds of a clock that only goes forward.
    ///
    /// A `ZoneDirectory` checks a zone's file at most once in each second.
    public var seconds: @Sendable () -> Int64

    /// Makes a value from the functions that read files.
    public init(
        contents: @escaping @Sendable (String) -> [UInt8]?,
        stamp: @escaping @Sendable (String) -> Stamp?,
        link: @escaping @Sendable (String) -> String?,
        seconds: @escaping @Sendable () -> Int64
    ) {
        self.contents = contents
        self.stamp = stamp
        self.link = link
        self.seconds = seconds
    }
}

extension ZoneFiles {
    /// The files of this system.
    public static let system = ZoneFiles(
        contents: { OpenFile(following: $0)?.bytes(upTo: Limits.zoneFile.most) },
        stamp: { stamp($0) }, link: { SymbolicLink.target(of: $0) },
        seconds: { Int64(timespec.now(on: CLOCK_MONOTONIC_COARSE).tv_sec) })

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = status.st_mtim
        return Stamp(
            file: [UInt64(status.st_dev), UInt64(status.st_ino)],
            changed: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            size: Int64(status.st_size))
    }
}

/// The user's time zone.
///
/// The first of these sources that gives a zone is used (localtime(5)):
///
/// 1. `TZ`, if it names a known zone;
/// 2. the target of `/etc/localtime`;
/// 3. the name in `/etc/timezone`;
/// 4. the content of `/etc/localtime`;
/// 5. UTC.
public enum LocalZone {
    /// The zone that `TZ` names; nil if `TZ` is not set or names no known zone.
    public static func fixed(
        environment: [String: String], directory: inout ZoneDirectory
    ) -> String? {
        guard let value = environment["TZ"] else { return nil }
        let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        // An empty value is UTC (tzset(3)).
        if name.isEmpty { return "UTC" }
        var found = name.hasPrefix("/") ? self.name(inPath: name) : name
        // In `TZ`, a positive sign means west (POSIX). In Foundation's names of zones, it means
        // east. The angle brackets make `rules(named:)` read the name as a rule of POSIX.
        if FixedOffsetName.offset(of: name) != nil {
            found = "<\(name.prefix(3))>\(name.dropFirst(3))"
        }
        return found.flatMap { directory.rules(named: $0) == nil ? nil : $0 }
    }

    /// The zone that the system's files name.
    public static func ofSystem(files: ZoneFiles, directory: inout ZoneDirectory) -> String {
        if let link = files.link("/etc/localtime"), let name = name(inPath: link),
            directory.rules(named: name) != nil
        {
            return name
        }
        if let text = files.contents("/etc/timezone") {
            let line = text.prefix { $0 != UInt8(ascii: "\n") }
                .filter { $0 > UInt8(ascii: " ") }
            let name = String(decoding: line, as: UTF8.self)
            if directory.rules(named: name) != nil { return name }
        }
        return directory.rules(named: "localtime") == nil ? "UTC" : "localtime"
    }

    /// The name of the zone whose file lies at this path; nil for a path outside of tzdata.
    static func name(inPath path: String) -> String? {
        guard let mark = path.firstRange(of: "zoneinfo/"), mark.upperBound < path.endIndex else {
            return nil
        }
        let name = path[mark.upperBound...]
        // tzdata has copies with and without leap seconds (tzselect(8), "Files").
        let copy = ["posix/", "right/"].first(where: name.hasPrefix) ?? ""
        return String(name.dropFirst(copy.count))
    }
}

extension ZoneRules {
    /// The zone of this process: `TZ` if it names a known zone, else the system's zone, with the
    /// system's tzdata.
    public static var system: ZoneRules {
        var environment: [String: String] = [:]
        for name in ["TZ", "TZDIR"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        // Every printed time shows its offset, so no message about the zone is needed.
        var directory = ZoneDirectory(environment: environment, files: .system, report: { _ in })
        let name =
            LocalZone.fixed(environment: environment, directory: &directory)
            ?? LocalZone.ofSystem(files: .system, directory: &directory)
        return directory.rulesOrUTC(named: name)
    }
}
