import TestSupport
import Testing

/// The fuzz runs must try the inputs that they report.
@Suite struct FuzzingTests {
    @Test func `the same seed makes the same mutants, and another seed others`() {
        let mutator = Mutator(seeds: [Array("BEGIN:VEVENT\r\nDTSTART:20261122T090000\r\n".utf8)])
        func mutants(_ seed: UInt64) -> [[UInt8]] {
            var random = SeededGenerator(seed: seed)
            return (0..<200).map { _ in mutator.mutant(&random) }
        }
        #expect(mutants(7) == mutants(7))
        #expect(mutants(7) != mutants(8))
        #expect(Set(mutants(7)).count > 150)
    }

    @Test func `a mutator without seeds makes mutants`() {
        var random = SeededGenerator(seed: 1)
        for seeds in [[], [[]]] as [[[UInt8]]] {
            for _ in 0..<500 { _ = Mutator(seeds: seeds).mutant(&random) }
        }
    }

    @Test func `an error names the target, the seed and the input`() {
        let run = FuzzRun("self", rounds: 5)
        let error = #expect(throws: HarnessError.self) {
            try run.rounds { number, _ in
                if number == 3 { throw HarnessError("wrong") }
            }
        }
        #expect(error?.description == "fuzz self, seed \(run.seed), input 3: wrong")
    }

    @Test func `an input that takes too long is a fault`() {
        #expect(throws: HarnessError.self) {
            try FuzzRun("slow", rounds: 1, slowest: .microseconds(1)).rounds { _, random in
                _ = (0..<10_000).map { _ in random.next() }
            }
        }
    }
}
