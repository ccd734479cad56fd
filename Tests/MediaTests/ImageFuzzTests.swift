import Foundation
import TestSupport
import Testing

/// Damaged images of every format: the program decodes or refuses each, and never hangs.
///
/// `make fuzz SECONDS=60 SEED=2` runs longer, with another seed.
@Suite struct ImageFuzzTests {
    private static let batch = 20
    /// The allowed exit statuses, as a shell counts them: done, refused, out of processor time.
    ///
    /// When memory runs out, GLib ends the program by SIGTRAP, and the C library by SIGABRT.
    private static let allowed: Set<Int> = [
        0, 65, 128 + Int(SIGXCPU), 128 + Int(SIGTRAP), 128 + Int(SIGABRT),
    ]

    private static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }

    @Test(.timeLimit(.minutes(60)), arguments: ["png", "jpg", "gif", "webp"])
    func `a damaged image is decoded or refused, and the program ends`(format: String) async throws
    {
        let program = try MediaProgram()
        _ = try await program.drawHalves("still.\(format)", width: 80, height: 60)
        let moves = format == "gif" || format == "webp"
        if moves { _ = try await program.drawFrames("moving.\(format)") }
        let originals = try (moves ? ["still", "moving"] : ["still"]).map {
            try program.bytes(of: "\($0).\(format)")
        }
        let seed = UInt64(Self.number("TOCSIN_FUZZ_SEED", or: 1))
        let number = format.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
        var random = SeededGenerator(seed: number)
        let end = ContinuousClock.now + .seconds(Self.number("TOCSIN_FUZZ_SECONDS", or: 0))
        var counts: [Int: Int] = [:]
        repeat {
            for (status, number) in try await Self.run(
                Self.batch, of: originals, format, in: program, &random)
            {
                counts[status, default: 0] += number
            }
        } while ContinuousClock.now < end
        print("fuzz \(format): \(counts.sorted { $0.key < $1.key }) by exit status")
        #expect(Set(counts.keys).isSubset(of: Self.allowed), "seed \(seed): \(counts)")
    }

    /// Runs the program on `count` mutants; returns how often each status came.
    private static func run(
        _ count: Int, of originals: [[UInt8]], _ format: String, in program: MediaProgram,
        _ random: inout SeededGenerator
    ) async throws -> [Int: Int] {
        var files: [String] = []
        for number in 0..<count {
            let original = originals.randomElement(using: &random) ?? []
            let mutant = mutant(of: original, &random)
            files.append(try program.write(mutant, to: "mutant\(number).\(format)"))
        }
        // The status 124 shows a hang: the timeout is twenty times the processor limit.
        let script = """
            program=$1; shift
            for file; do
                timeout 40 "$program" image "$file" --part 0.25,0,0.5,1 --frame 2 >/dev/null 2>&1
                echo $?
            done
            """
        let said = try await RunningProgram.run(
            "sh", ["-c", script, "sh", try MediaProgram.path()] + files, within: 3_000)
        let statuses = said.split(separator: "\n").compactMap { Int($0) }
        try #require(statuses.count == count, "\(said)")
        return Dictionary(statuses.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Makes one to eight changes: a bit, a byte, a few extreme bytes, or a piece that is removed,
    /// repeated or cut off at the end.
    private static func mutant(
        of original: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &random) where bytes.count > 16 {
            let place = Int.random(in: 0..<bytes.count - 8, using: &random)
            let length = Int.random(in: 1...8, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                let extreme: UInt8 = Bool.random(using: &random) ? 0xFF : 0
                for next in place..<place + min(4, length) { bytes[next] = extreme }
            case 3: bytes.removeSubrange(place..<place + length)
            case 4: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            default: bytes.removeLast(Int.random(in: 1...8, using: &random))
            }
        }
        return bytes
    }
}
