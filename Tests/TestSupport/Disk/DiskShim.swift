internal import Foundation
internal import Glibc

/// Makes the file operations of a program fail; a test starts the program with `environment`.
///
/// A library in C (`DiskShim.c`, compiled here) stands between the program and the system. The
/// library affects only files below one folder.
package final class DiskShim: Sendable {
    /// The operations that may fail.
    package struct Operations: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let write = Operations(rawValue: 1)
        package static let sync = Operations(rawValue: 2)
        package static let truncate = Operations(rawValue: 4)
        package static let open = Operations(rawValue: 8)
        package static let rename = Operations(rawValue: 16)
        package static let unlink = Operations(rawValue: 32)
        package static let read = Operations(rawValue: 64)
        package static let allocate = Operations(rawValue: 128)
        /// The start of programs and threads; the suffix must be empty.
        package static let start = Operations(rawValue: 4_096)
    }

    /// The environment of the program.
    package let environment: [String: String]
    /// The program's changes, if the shim records them.
    package let log: DiskLog?

    private static let source = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "DiskShim.c").path
    private static let suffixSize = 44
    private static let hitsOffset: UInt64 = 16
    private let control: String

    /// Compiles the library into `directory`; the library affects files below `folder`.
    package init(folder: String, in directory: String, logs: Bool = false) async throws {
        let library = directory + "/disk-shim.so"
        control = directory + "/disk-control"
        try await RunningProgram.run(
            "cc", ["-shared", "-fPIC", "-O1", "-o", library, Self.source, "-ldl"])
        try Data(count: Int(Self.hitsOffset) + 4 + Self.suffixSize).write(
            to: URL(filePath: control))
        var environment = [
            "LD_PRELOAD": library, "TOCSIN_DISK_FOLDER": folder, "TOCSIN_DISK_CONTROL": control,
        ]
        log = logs ? DiskLog(path: directory + "/disk-log", folder: folder) : nil
        environment["TOCSIN_DISK_LOG"] = log?.path
        self.environment = environment
    }

    /// Makes these operations fail on files whose names end in `suffix`.
    ///
    /// The first `skip` operations succeed, and the next `times` fail with `error`. Without
    /// `times`, all later operations fail until `heal()`. Without `error`, a write writes only half
    /// of its bytes.
    package func fail(
        _ operations: Operations, of suffix: String = "", error: Int32?, after skip: Int32 = 0,
        times: Int32? = nil
    ) throws {
        try set(operations: 0, skip: 0, times: 0, error: 0, suffix: "")
        try set(
            operations: operations.rawValue, skip: skip, times: times ?? -1, error: error ?? 0,
            suffix: suffix)
    }

    /// Makes the disk work again.
    package func heal() throws {
        try set(operations: 0, skip: 0, times: 0, error: 0, suffix: "")
    }

    /// How many operations have failed since the last call of `fail` or `heal`.
    package var hits: Int {
        get throws {
            let file = try FileHandle(forReadingFrom: URL(filePath: control))
            try file.seek(toOffset: Self.hitsOffset)
            let bytes = try file.read(upToCount: 4) ?? Data()
            try file.close()
            return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// Writes the operations last, so that no operation fails before the other fields are set.
    private func set(
        operations: Int32, skip: Int32, times: Int32, error: Int32, suffix: String
    ) throws {
        var bytes = Data()
        for number in [skip, times, error, 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        let text = Array(suffix.utf8.prefix(Self.suffixSize - 1))
        bytes += text + [UInt8](repeating: 0, count: Self.suffixSize - text.count)
        let file = try FileHandle(forUpdating: URL(filePath: control))
        if operations == 0 { try file.write(contentsOf: Data(count: 4)) }
        try file.seek(toOffset: 4)
        try file.write(contentsOf: bytes)
        try file.seek(toOffset: 0)
        let mask = withUnsafeBytes(of: operations.littleEndian) { Data($0) }
        try file.write(contentsOf: mask)
        try file.close()
    }
}
