import Foundation
import NotificationModel
import TestSupport
import Testing

/// Sounds, passed by the program to a sound system that writes a file.
@Suite(.timeLimit(.minutes(5))) struct SoundProgramTests {
    private let program: MediaProgram

    init() throws {
        program = try MediaProgram()
    }

    /// Runs the program with ALSA's own plugins as the sound card; returns the loudest sample.
    private func play(
        _ arguments: [String]
    ) async throws -> (status: Int32, loudest: Int, said: String) {
        let raw = program.path("played.raw")
        let configuration = """
            pcm.!default { type file; slave.pcm { type null }; file "\(raw)"; format raw }
            ctl.!default { type null }
            """
        let file = try program.write(Array(configuration.utf8), to: "asound.conf")
        var environment = ProcessInfo.processInfo.environment
        environment["ALSA_CONFIG_PATH"] = file
        environment["CANBERRA_DRIVER"] = "alsa"
        let result = try await program.run(["sound"] + arguments, environment: environment)
        let bytes = (try? program.bytes(of: "played.raw")) ?? []
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            abs(Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)))
        }
        return (result.status, samples.max() ?? 0, result.said)
    }

    /// Returns half a second of a square wave as a WAVE file.
    private static func wave(level: Int16) -> [UInt8] {
        let samples = (0..<4_000).flatMap { number -> [UInt8] in
            let value = UInt16(bitPattern: number / 10 % 2 == 0 ? level : -level)
            return [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
        return Array("RIFF".utf8) + little(36 + samples.count) + Array("WAVEfmt ".utf8)
            + little(16) + [1, 0, 1, 0] + little(8_000) + little(16_000) + [2, 0, 16, 0]
            + Array("data".utf8) + little(samples.count) + samples
    }

    private static func aiff(level: Int16) -> [UInt8] {
        let samples = (0..<4_000).flatMap { number -> [UInt8] in
            let value = UInt16(bitPattern: number / 10 % 2 == 0 ? level : -level)
            return [UInt8(value >> 8), UInt8(value & 0xFF)]
        }
        let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        return Array("FORM".utf8) + big(46 + samples.count) + Array("AIFFCOMM".utf8) + big(18)
            + [0, 1] + big(4_000) + [0, 16] + rate + Array("SSND".utf8) + big(samples.count + 8)
            + big(0) + big(0) + samples
    }

    private static func little(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func big(_ number: Int) -> [UInt8] { little(number).reversed() }

    @Test func `a sound file in any container format is played`() async throws {
        for (name, bytes) in [
            ("a.wav", Self.wave(level: 12_345)), ("a.aiff", Self.aiff(level: 12_345)),
        ] {
            let file = try program.write(bytes, to: name)
            let played = try await play(["bell", "--file", file])
            #expect(played.status == 0 && played.said.isEmpty, "\(name): \(played.said)")
            #expect((12_300...12_400).contains(played.loudest), "\(name): \(played.loudest)")
        }
    }

    @Test func `a compressed sound file is played`() async throws {
        let file = "/usr/share/sounds/freedesktop/stereo/bell.oga"
        let played = try await play(["message-new-instant", "--file", file])
        #expect(played.status == 0 && played.loudest > 0 && played.said.isEmpty, "\(played.said)")
    }

    @Test func `an unplayable file is reported and replaced by the theme's sound`() async throws {
        let file = try program.write(Array("no sound".utf8), to: "a.wav")
        for path in [file, program.path("missing.wav")] {
            let played = try await play(["message-new-instant", "--file", path])
            #expect(played.status == 0 && played.loudest > 0)
            #expect(played.said.contains(path), "\(played.said)")
        }
    }

    @Test func `a name that the theme does not have plays the desktop's own sound`() async throws {
        let played = try await play(["no-such-sound-at-all"])
        #expect(played.status == 0 && played.loudest > 0, "\(played.said)")
    }

    @Test func `a volume of zero is silence`() async throws {
        let played = try await play(["bell", "--volume", "0"])
        #expect(played.status == 0 && played.loudest == 0)
    }

    @Test func `without a sound system the program fails and prints the reason`() async throws {
        let file = try program.write(Array("".utf8), to: "empty.conf")
        let result = try await program.run(
            ["sound", "bell"],
            environment: ["ALSA_CONFIG_PATH": file, "CANBERRA_DRIVER": "alsa"])
        #expect(result.status == 69 && result.said.contains("no sound card"), "\(result.said)")
        let other = try await program.run(
            ["sound", "bell"], environment: ["CANBERRA_DRIVER": "no-such-system"])
        #expect(other.status == 69 && other.said.contains("did not play"), "\(other.said)")
    }
}
