import Testing

@testable import Reactor

/// Programs that nobody waits for.
@Suite(.timeLimit(.minutes(2))) struct DetachedProgramTests {
    /// Init may have taken its end before anybody could follow it.
    @Test func `a program that ends at once was started`() throws {
        for _ in 0..<300 {
            try DetachedProgram.start(["/bin/true"], environment: [:], directory: "/")
        }
    }

    @Test func `a program that is not there cannot be started`() {
        let failure = #expect(throws: SystemFailure.self) {
            try DetachedProgram.start(["/nowhere"], environment: [:], directory: "/")
        }
        #expect(failure?.code == 2)
    }
}
