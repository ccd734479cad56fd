import Glibc
import Reactor
import Testing

/// Programs that are started as a child, as a worker or detached.
@Suite(.timeLimit(.minutes(2))) struct SubprocessTests {
    /// Init may have reaped the program before this process could follow it.
    @Test func `the start of a detached program that ends at once succeeds`() throws {
        for _ in 0..<300 {
            try Subprocess.detach(["/bin/true"], environment: [:], directory: "/")
        }
    }

    @Test(arguments: [Subprocess.Bond.child, .worker, .detached])
    func `a program that is not there cannot be started`(bond: Subprocess.Bond) {
        let failure = #expect(throws: SystemFailure.self) {
            _ = try Subprocess(["/nowhere"], bond).start()
        }
        #expect(failure?.code == ENOENT)
    }

    @Test(arguments: [Subprocess.Bond.child, .worker])
    func `a program gets its streams, its environment and its directory, and nothing else`(
        bond: Subprocess.Bond
    ) throws {
        let (input, output) = (
            try Subprocess.memoryFile(Array("said".utf8)), try Subprocess.memoryFile()
        )
        defer {
            close(input)
            close(output)
        }
        var program = Subprocess(
            [
                "/bin/sh", "-c",
                "cat; printf ' %s' \"$NAME$HOME $PWD $(ls /proc/self/fd | wc -l)\"; exit 3",
            ], bond, environment: ["NAME": "value", "PATH": "/usr/bin:/bin"], directory: "/usr")
        (program.input, program.output) = (.descriptor(input), .descriptor(output))
        let child = try program.start()
        defer { close(child.end) }
        #expect(child.reap() == 3)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(output, &bytes, bytes.count, 0)
        // The fourth descriptor of `ls` is the folder that it reads.
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "said value /usr 4")
    }

    @Test func `a signal to a worker reaches the programs that it started`() throws {
        let pipe = try Subprocess.pipe()
        defer { close(pipe.source) }
        var program = Subprocess(["/bin/sh", "-c", "sleep 600 & echo; sleep 600"], .worker)
        program.output = .descriptor(pipe.target)
        let child = try program.start()
        defer { close(child.end) }
        close(pipe.target)
        // The worker writes a byte when it has started the other program.
        var byte: UInt8 = 0
        #expect(read(pipe.source, &byte, 1) == 1)
        child.signalSession(SIGTERM)
        #expect(child.reap() == 128 + SIGTERM)
        // The pipe ends when the last program closes it.
        #expect(read(pipe.source, &byte, 1) == 0)
    }

    @Test func `a program is found on PATH if the caller asks for that`() throws {
        var program = Subprocess(["true"], .child)
        program.searches = true
        let child = try program.start()
        defer { close(child.end) }
        #expect(child.reap() == 0)
    }
}
