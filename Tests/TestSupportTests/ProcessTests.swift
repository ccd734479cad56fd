import TestSupport
import Testing

/// The parts of the harness that run programs and wait for events.
@Suite(.timeLimit(.minutes(2))) struct ProcessTests {
    @Test func `run returns a program's whole output and throws for a status other than 0`()
        async throws
    {
        let text = try await RunningProgram.run("sh", ["-c", "echo one; echo two; echo err >&2"])
        #expect(text == "one\ntwo")
        await #expect(throws: HarnessError.self) {
            try await RunningProgram.run("sh", ["-c", "echo why >&2; exit 3"])
        }
    }

    @Test func `programs that run at the same time do not keep each other's pipes open`()
        async throws
    {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                group.addTask { try await RunningProgram.run("echo", ["\(number)"]) }
            }
            let all = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(all == Set((0..<20).map(String.init)))
        }
    }

    @Test func `the error for a missing program names the program`() throws {
        let error = #expect(throws: HarnessError.self) { _ = try RunningProgram("no-such-program") }
        #expect(error?.description.contains("no-such-program is not installed") == true)
    }

    @Test func `stop kills a program that ignores SIGTERM`() async throws {
        let child = try RunningProgram(
            "sh", ["-c", "trap '' TERM; echo ready; read -r _ </dev/zero"])
        try await child.lines.first("its first line") { $0 == "ready" }
        await child.stop()
        #expect(try await child.exit() == -9)
    }

    @Test func `a recording ends waits that begin before or after the event`() async throws {
        let recording = Recording<Int>()
        let checks = Recording<Void>()
        async let early = recording.wait(for: "a three") {
            checks.append(())
            return $0.contains(3)
        }
        // The recording checks the predicate when the wait begins.
        try await checks.first(1)
        for number in 1...3 { recording.append(number) }
        #expect(try await early == [1, 2, 3])
        #expect(try await recording.first(2) == [1, 2])
        recording.finish("the end")
        await #expect(throws: HarnessError.self) { try await recording.first(4) }
        #expect(recording.all == [1, 2, 3])
    }

    @Test func `a wait past its deadline fails and names the event, and a cancelled wait fails`()
        async throws
    {
        let recording = Recording<Int>()
        let error = await #expect(throws: HarnessError.self) {
            try await recording.first("a four", within: 0) { $0 == 4 }
        }
        #expect(error?.description.contains("waited 0 s for a four") == true)
        let waiting = Task { try await recording.first(1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
