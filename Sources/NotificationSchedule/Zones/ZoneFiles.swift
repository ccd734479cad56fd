/// The files in which a system keeps its zones, as functions, so that a test can stand in for them.
public struct ZoneFiles: Sendable {
    /// What tells that a file is another than before.
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

    /// The contents of a regular file; nil where it cannot be read.
    public var contents: @Sendable (_ path: String) -> [UInt8]?
    /// The stamp of a file, links followed; nil where there is none.
    public var stamp: @Sendable (_ path: String) -> Stamp?
    /// Where a link leads; nil where the path is none.
    public var link: @Sendable (_ path: String) -> String?
    /// Seconds of a clock that only goes forward: when to look for changes again.
    public var seconds: @Sendable () -> Int64

    /// Makes an access to files.
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
