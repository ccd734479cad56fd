import Foundation
import TestSupport
import Testing

/// The disk that fails on command.
@Suite(.timeLimit(.minutes(2))) struct DiskShimTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    /// Copies 100 bytes with one call into a file of `folder`, and prints how many were copied.
    ///
    /// The shim affects the folder `disk` and fails its operations with this error.
    private func copy(
        into folder: String, failing operations: DiskShim.Operations, _ error: Int32?
    ) async throws -> (said: String, hits: Int) {
        for name in ["disk", "disk2"] {
            try FileManager.default.createDirectory(
                atPath: "\(bus.directory)/\(name)", withIntermediateDirectories: true)
        }
        let source = bus.directory + "/source"
        try Data(count: 100).write(to: URL(filePath: source))
        let shim = try await DiskShim(folder: bus.directory + "/disk", in: bus.directory)
        try shim.fail(operations, error: error)
        let script = """
            import os, sys
            source = os.open(sys.argv[1], os.O_RDONLY)
            try:
                target = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
                print(os.copy_file_range(source, target, 100))
            except OSError as error:
                print(error.strerror)
            """
        let said = try await RunningProgram.run(
            "/usr/bin/python3", ["-c", script, source, "\(bus.directory)/\(folder)/target"],
            environment: shim.environment)
        return (said, try shim.hits)
    }

    @Test func `without an error a copy is short, and the other operations succeed`() async throws {
        let (said, hits) = try await copy(into: "disk", failing: [.write, .open], nil)
        #expect(said == "50")
        #expect(hits == 1)
    }

    @Test func `an operation fails with its error`() async throws {
        let (said, hits) = try await copy(into: "disk", failing: .open, EACCES)
        #expect(said == "Permission denied")
        #expect(hits == 1)
    }

    @Test func `a folder whose name only begins like the disk's is not affected`() async throws {
        let (said, hits) = try await copy(into: "disk2", failing: [.write, .open], EIO)
        #expect(said == "100")
        #expect(hits == 0)
    }
}
