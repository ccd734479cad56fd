import CMedia
import Foundation
import Testing

/// The confinement of the decoder: a hostile image that takes it over can do little.
@Suite(.timeLimit(.minutes(5))) struct ConfinementTests {
    private static func confine() -> Int32 {
        var limits = cmedia_limits(address_space: 1 << 40, cpu: 10, file: 1 << 20)
        return cmedia_confine(&limits)
    }

    /// Makes Landlock's calls fail with EPERM, as older versions of Snap and systemd-nspawn do.
    private static func refuseLandlock() -> Bool {
        typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return false }
        let prctl = unsafeBitCast(symbol, to: Call.self)
        let (setNoNewPrivileges, setFilter) = (Int32(38), Int32(22))
        // Instructions of BPF: the operation in the lowest 16 bits, two jumps, and an operand.
        let filter: [UInt64] = [
            0x0000_0000_0000_0020,  // Load the number of the system call.
            0x0000_01BC_0100_0015,  // Skip the next instruction if it is not 444.
            0x0005_0001_0000_0006,  // Return EPERM.
            0x7FFF_0000_0000_0006,  // Allow the call.
        ]
        return filter.withUnsafeBufferPointer { filter in
            let program = (UInt(filter.count), UInt(bitPattern: filter.baseAddress))
            return withUnsafePointer(to: program) { program in
                prctl(setNoNewPrivileges, 1, 0, 0, 0) == 0
                    && prctl(setFilter, 2, UInt(bitPattern: program), 0, 0) == 0
            }
        }
    }

    @Test func `a process that may not use Landlock is confined by the filter alone`()
        async throws
    {
        await #expect(processExitsWith: .exitCode(0)) {
            guard ConfinementTests.refuseLandlock() else { _exit(3) }
            guard ConfinementTests.confine() == 0 else { _exit(1) }
            let descriptor = open("/etc/hostname", O_RDONLY)
            _exit(descriptor == -1 && errno == EACCES ? 0 : 2)
        }
    }

    @Test func `a confined process cannot signal another process`() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            typealias Call = @convention(c) (Int32, Int32, Int32) -> Int32
            guard let symbol = dlsym(nil, "tgkill") else { _exit(3) }
            let signal = unsafeBitCast(symbol, to: Call.self)
            let parent = getppid()
            guard ConfinementTests.confine() == 0 else { _exit(1) }
            // Signal 0 tests whether a signal could be sent.
            let result = signal(parent, parent, 0)
            _exit(result == -1 && errno == EACCES ? 0 : 2)
        }
    }

    @Test func `a confined process can still abort`() async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            guard ConfinementTests.confine() == 0 else { _exit(1) }
            abort()
        }
    }

    @Test func `a confined process cannot open a file`() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            guard ConfinementTests.confine() == 0 else { _exit(1) }
            let descriptor = open("/etc/hostname", O_RDONLY)
            _exit(descriptor == -1 && errno == EACCES ? 0 : 2)
        }
    }
}
