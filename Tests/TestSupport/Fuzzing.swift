internal import Foundation
internal import Glibc

/// One fuzz test: a fixed number of inputs in `make test`, a number of seconds in `make fuzz`.
///
/// The environment sets the seed (`TOCSIN_FUZZ_SEED`), the seconds (`TOCSIN_FUZZ_SECONDS`), or one
/// single input to repeat (`TOCSIN_FUZZ_INPUT`, a file). While a test tries an input, the file
/// `tocsin-fuzz-NAME-PID` in the temporary directory contains the input. After a failure or a trap
/// the file is still there.
package struct FuzzRun: Sendable {
    /// The name of the target, in messages and in the name of the input's file.
    package let name: String
    /// The seed of the run; each input's seed is made of this seed and the input's number.
    package let seed: UInt64
    private let rounds: Int
    private let leastInFuzz: Int
    private let repeated: String?
    private let slowest: Duration

    /// How long each fuzz test runs in `make fuzz`; nil in `make test`.
    package static let seconds = ProcessInfo.processInfo.environment["TOCSIN_FUZZ_SECONDS"]
        .flatMap { Int($0) }

    /// Makes a run of `rounds` inputs; in `make fuzz`, it lasts `FuzzRun.seconds`.
    ///
    /// A run in `make fuzz` has at least `leastInFuzz` inputs.
    ///
    /// The run fails if an input takes more processor time than `slowest`.
    package init(
        _ name: String, rounds: Int = 1_000, leastInFuzz: Int = 0, slowest: Duration = .seconds(2)
    ) {
        let environment = ProcessInfo.processInfo.environment
        self.name = name
        self.rounds = rounds
        self.leastInFuzz = leastInFuzz
        self.slowest = slowest
        seed = environment["TOCSIN_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        repeated = environment["TOCSIN_FUZZ_INPUT"]
    }

    /// Runs `body` on the seeds and on their mutants; it throws if an input shows a fault.
    package func mutants(
        of seeds: [[UInt8]], words: [String] = [], _ body: ([UInt8]) throws -> Void
    ) throws {
        if let repeated { return try body([UInt8](Data(contentsOf: URL(filePath: repeated)))) }
        let mutator = Mutator(seeds: seeds, words: words)
        let file = try InputFile(name)
        try rounds { number, random in
            let input = number < seeds.count ? seeds[number] : mutator.mutant(&random)
            try file.write(input)
            try body(input)
        }
        file.remove()
    }

    /// Runs `body` on texts and on their mutants; bytes that are not UTF-8 become U+FFFD.
    package func mutants(
        of seeds: [String], words: [String] = [], _ body: (String) throws -> Void
    ) throws {
        try mutants(of: seeds.map { Array($0.utf8) }, words: words) { bytes in
            try body(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Runs `body` on values of a generator.
    package func values<Value>(
        _ make: (inout SeededGenerator) -> Value, _ body: (Value) throws -> Void
    ) throws {
        try rounds { _, random in try body(make(&random)) }
    }

    /// Calls `body` with the number and the random generator of each round, until the run is over.
    package func rounds(_ body: (Int, inout SeededGenerator) throws -> Void) throws {
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        var number = 0
        while end.map({ ContinuousClock.now < $0 || number < leastInFuzz }) ?? (number < rounds) {
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
            let start = Self.processorTime()
            do {
                try body(number, &random)
            } catch {
                throw HarnessError("fuzz \(name), seed \(seed), input \(number): \(error)")
            }
            let took = Self.processorTime() - start
            guard took < slowest else {
                throw HarnessError("fuzz \(name), seed \(seed), input \(number) took \(took)")
            }
            number += 1
        }
        print("fuzz \(name): \(number) inputs, seed \(seed)")
    }

    /// The processor time of this thread; elapsed time would blame inputs for a busy machine.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The file of the present input, which remains after a failure or a trap.
private struct InputFile {
    private let path: String
    private let handle: FileHandle

    init(_ name: String) throws {
        path = "\(NSTemporaryDirectory())/tocsin-fuzz-\(name)-\(getpid())"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw HarnessError("\(path) cannot be written") }
        self.handle = handle
    }

    func write(_ input: [UInt8]) throws {
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(input))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Damages texts and files: changes bits, bytes and numbers; removes, repeats and exchanges pieces.
package struct Mutator: Sendable {
    private let seeds: [[UInt8]]
    private let words: [[UInt8]]

    /// Texts that parsers tend to misread.
    package static let hostileWords = [
        "\0", "\u{301}", "'\u{301}", "\"", "\\", "\r\n", "\n", "\t", ";", ",", ":", "=", "$(", "`",
        "%", "\u{202E}", "\u{FEFF}", "\u{85}", "\u{1B}[2J", "{", "}", "[", "]", "(", ")", "<", ">",
        "\\u0000", "\\ud800", "null", "true", "-", "+", ".", "1e", "0x",
    ]

    /// Numbers at the limits of their types, and texts that are no number.
    package static let hostileNumbers = [
        "0", "-0", "1", "-1", "127", "128", "255", "256", "65535", "65536", "2147483647",
        "2147483648", "-2147483648", "4294967295", "4294967296", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "1e300", "-1e300", "1e-300", "1e9999",
        "nan", "inf", "-inf", "0.1", "00000000000000000001", "99999999999999999999999999999",
    ]

    /// The mutants will contain pieces of `seeds`, `words`, `hostileWords` and `hostileNumbers`.
    package init(seeds: [[UInt8]], words: [String] = []) {
        self.seeds = seeds.isEmpty ? [[]] : seeds
        self.words = (words + Self.hostileWords + Self.hostileNumbers).map { Array($0.utf8) }
    }

    /// One of the seeds with one to eight changes.
    package func mutant(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &random) { change(&bytes, &random) }
        return bytes
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let range = piece(of: bytes, &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0: if !bytes.isEmpty { bytes[place(in: bytes, &random)] ^= 1 << bit(&random) }
        case 1: if !bytes.isEmpty { bytes[place(in: bytes, &random)] = byte(&random) }
        case 2:
            let extreme: UInt8 = Bool.random(using: &random) ? 0xFF : 0
            for index in range.prefix(8) { bytes[index] = extreme }
        case 3: bytes.removeSubrange(range)
        case 4: bytes.insert(contentsOf: Array(bytes[range]), at: range.lowerBound)
        case 5: bytes.replaceSubrange(range, with: words.randomElement(using: &random) ?? [])
        case 6: bytes.insert(contentsOf: word(&random), at: range.lowerBound)
        case 7: replaceNumber(in: &bytes, from: range.lowerBound, &random)
        case 8:
            let other = seeds.randomElement(using: &random) ?? []
            bytes.replaceSubrange(range, with: other[piece(of: other, &random)])
        case 9:
            // Repeat a piece many times: nesting, long texts, long lists.
            let piece = Bool.random(using: &random) ? word(&random) : Array(bytes[range].prefix(8))
            let count = Int.random(in: 2...600, using: &random)
            bytes.insert(
                contentsOf: (0..<count).flatMap { _ in piece }, at: range.lowerBound)
        default: bytes.removeSubrange(range.lowerBound...)
        }
    }

    /// Replaces the first digits at or after `place` by another number.
    private func replaceNumber(
        in bytes: inout [UInt8], from place: Int, _ random: inout SeededGenerator
    ) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        let number = Self.hostileNumbers.randomElement(using: &random) ?? "0"
        bytes.replaceSubrange(start..<end, with: Array(number.utf8))
    }

    private func word(_ random: inout SeededGenerator) -> [UInt8] {
        words.randomElement(using: &random) ?? []
    }

    private func byte(_ random: inout SeededGenerator) -> UInt8 {
        UInt8.random(in: 0...255, using: &random)
    }

    private func bit(_ random: inout SeededGenerator) -> UInt8 {
        UInt8.random(in: 0..<8, using: &random)
    }

    private func place(in bytes: [UInt8], _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0..<bytes.count, using: &random)
    }

    /// Returns a short piece in most cases.
    private func piece(
        of bytes: [UInt8], _ random: inout SeededGenerator
    ) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let limit = Int.random(in: 0..<8, using: &random) == 0 ? bytes.count : 12
        let length = Int.random(in: 0...limit, using: &random)
        return start..<min(bytes.count, start + length)
    }
}
