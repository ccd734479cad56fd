import TestSupport
import Testing

/// A fuzz run must repeat its inputs from its seed, and report its failures.
@Suite struct FuzzingTests {
    @Test func `equal seeds make equal mutants, and another seed makes different mutants`() {
        let mutator = Mutator(seeds: [Array("BEGIN:VEVENT\r\nDTSTART:20261122T090000\r\n".utf8)])
        func mutants(_ seed: UInt64) -> [[UInt8]] {
            var random = SeededGenerator(seed: seed)
            return (0..<200).map { _ in mutator.mutant(&random) }
        }
        #expect(mutants(7) == mutants(7))
        #expect(mutants(7) != mutants(8))
        #expect(Set(mutants(7)).count > 150)
    }

    @Test func `a mutator without seeds does not trap`() {
        var random = SeededGenerator(seed: 1)
        for seeds in [[], [[]]] as [[[UInt8]]] {
            for _ in 0..<500 { _ = Mutator(seeds: seeds).mutant(&random) }
        }
    }

    @Test func `the error of a fuzz run names the target, the seed and the input`() {
        let run = FuzzRun("self", rounds: 5)
        let error = #expect(throws: HarnessError.self) {
            try run.rounds { number, _ in
                if number == 3 { throw HarnessError("wrong") }
            }
        }
        #expect(error?.description == "fuzz self, seed \(run.seed), input 3: wrong")
    }

    @Test func `a fuzz run throws for an input that takes too long`() {
        #expect(throws: HarnessError.self) {
            try FuzzRun("slow", rounds: 1, slowest: .microseconds(1)).rounds { _, random in
                _ = (0..<10_000).map { _ in random.next() }
            }
        }
    }
}
