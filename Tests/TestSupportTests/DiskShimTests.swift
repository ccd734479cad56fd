import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DiskShimTests {
    private let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    /// Copies 100 bytes into a file of `folder` with one call of `copy_file_range`.
    ///
    /// The shim affects the folder `disk`. The result has the number of copied bytes, or the error
    /// as text, and the number of operations that the shim changed.
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

    @Test func `a shim without an errno shortens a copy and lets an open succeed`() async throws {
        let (said, hits) = try await copy(into: "disk", failing: [.write, .open], nil)
        #expect(said == "50")
        #expect(hits == 1)
    }

    @Test func `a shim makes an open fail with the given error`() async throws {
        let (said, hits) = try await copy(into: "disk", failing: .open, EACCES)
        #expect(said == "Permission denied")
        #expect(hits == 1)
    }

    @Test func `a shim of the folder disk does not affect the folder disk2`() async throws {
        let (said, hits) = try await copy(into: "disk2", failing: [.write, .open], EIO)
        #expect(said == "100")
        #expect(hits == 0)
    }
}
