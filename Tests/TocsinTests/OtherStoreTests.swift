import Foundation
import TestSupport
import Testing

/// The tool on a bus whose daemon has ended and cannot be started again.
@Suite(.timeLimit(.minutes(5))) struct OtherStoreTests {
    /// After the daemon's end, the tool starts a daemon with the development store, which does not
    /// have the request.
    @Test func `a request in the store of an ended daemon is not reported as missing`()
        async throws
    {
        let bus = try PrivateBus()
        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
        }
        func start() async throws -> RunningProgram {
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(ProgramTests.products)/tocsind' 2>&1"],
                environment: bus.environment)
            try await daemon.lines.wait(for: "the daemon") { lines in
                lines.contains { $0.contains("serving") }
            }
            return daemon
        }
        let daemon = try await start()
        #expect(try await tocsin("in", "10h", "Tea", "--id", "tea").status == 0)
        daemon.signal(SIGKILL)
        _ = try await daemon.exit()
        for arguments in [
            ["remove", "tea"], ["cancel", "te"], ["show", "tea"], ["snooze", "tea", "10m"],
            ["skip", "tea"], ["move", "tea", "1h"], ["remove", "last"],
            ["remove", "tea", "--delivered"],
        ] {
            let run = try await ProgramTests.run("tocsin", arguments, environment: bus.environment)
            #expect(run.status == 75, "\(arguments): \(run.errors)")
            #expect(run.errors.contains("does not run on this bus"), "\(arguments): \(run.errors)")
            #expect(run.errors.contains("then try again"))
            #expect(!run.errors.contains("There is no"), "\(run.errors)")
        }
        #expect(try await tocsin("list").errors.contains("does not run on this bus"))
        #expect(try await tocsin("remove", "--all").errors.contains("nothing was removed: "))
        // The tool adds this request to the development store. The next daemon takes this request
        // over, and still has the request "tea" of its own store.
        #expect(try await tocsin("in", "10h", "Soup", "--id", "soup").status == 0)
        let again = try await start()
        let list = try await tocsin("list", "--ids")
        #expect(list.output.split(separator: "\n").sorted() == ["soup", "tea"], "\(list.errors)")
        #expect(try await tocsin("remove", "tea").status == 0)
        let gone = try await tocsin("remove", "tea")
        #expect(gone.status == 1 && gone.errors.contains("There is no notification"))
        await again.stop()
    }
}
