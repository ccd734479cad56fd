import CMedia
import Foundation
import Testing

/// The rights that remain to a decoder which an image has taken over.
@Suite(.timeLimit(.minutes(5))) struct ConfinementTests {
    private static func confine() -> Int32 {
        var limits = cmedia_limits(address_space: 1 << 40, cpu: 10, file: 1 << 20)
        return cmedia_confine(&limits)
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
