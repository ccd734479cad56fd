import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import Testing

@Suite("How long a sound file plays")
struct SoundFileTests {
    let root: TemporaryDirectory

    init() throws {
        root = try TemporaryDirectory()
    }

    static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        big(number).reversed()
    }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns a silent 16-bit mono file with this sample rate.
    static func wave(seconds: Int, rate: UInt32 = 8_000) -> [UInt8] {
        let size = UInt32(seconds) * rate * 2
        return text("RIFF") + little(36 + size) + text("WAVEfmt ") + little(UInt32(16))
            + little(UInt16(1)) + little(UInt16(1)) + little(rate) + little(rate * 2)
            + little(UInt16(2)) + little(UInt16(16)) + text("data") + little(size)
            + [UInt8](repeating: 0, count: Int(size))
    }

    /// Returns an AIFF file; its rate is an 80-bit number, here 44,100.
    static func aiff(
        seconds: UInt32, rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    ) -> [UInt8] {
        text("FORM") + big(UInt32(100)) + text("AIFFNAME") + big(UInt32(3))
            + text("abc\0COMM") + big(UInt32(18)) + big(UInt16(1)) + big(seconds * 44_100)
            + big(UInt16(16)) + rate
    }

    static func coreAudio(seconds: Int64, rate: Double = 8_000) -> [UInt8] {
        text("caff") + big(UInt16(1)) + big(UInt16(0)) + text("desc") + big(Int64(32))
            + big(rate.bitPattern) + text("lpcm") + big(UInt32(0)) + big(UInt32(2))
            + big(UInt32(1)) + big(UInt32(1)) + big(UInt32(16)) + text("data")
            + big(4 + seconds * Int64(rate) * 2) + big(UInt32(0))
    }

    static func flac(seconds: UInt64) -> [UInt8] {
        text("fLaC") + [0, 0, 0, 34] + [UInt8](repeating: 0, count: 10)
            + big(UInt64(48_000) << 44 | seconds * 48_000)
    }

    static func ogg(_ head: [UInt8], granule: Int64) -> [UInt8] {
        func page(_ granule: Int64, _ body: [UInt8]) -> [UInt8] {
            text("OggS") + [0, 2] + little(granule) + [UInt8](repeating: 0, count: 12)
                + [1, UInt8(body.count)] + body
        }
        return page(0, head) + page(granule, [1, 2, 3])
    }

    static func vorbis(seconds: Int64) -> [UInt8] {
        let head = [1] + text("vorbis") + little(UInt32(0)) + [2] + little(UInt32(44_100))
        return ogg(head, granule: seconds * 44_100)
    }

    static func opus(seconds: Int64) -> [UInt8] {
        let head = text("OpusHead") + [1, 2] + little(UInt16(312)) + little(UInt32(44_100))
        return ogg(head, granule: seconds * 48_000 + 312)
    }

    @Test(
        arguments: [
            (wave(seconds: 3), 3.0), (wave(seconds: 31), 31), (aiff(seconds: 7), 7),
            (coreAudio(seconds: 4), 4), (flac(seconds: 30), 30), (vorbis(seconds: 12), 12),
            (opus(seconds: 40), 40),
        ] as [([UInt8], Double)])
    func `the duration of a sound file is read in each format`(
        bytes: [UInt8], seconds: Double
    ) throws {
        let file = try #require(SoundFile(path: try root.write(bytes, to: "sound")))
        #expect(file.duration == seconds)
        #expect(file.isPlayable == (seconds <= 30))
    }

    @Test
    func `a damaged, cut or unknown file is not played, or has a short and finite length`() throws {
        var samples = [Self.text("not a sound"), [], Self.text("RIFF....WAVE")]
        for whole in [
            Self.aiff(seconds: 1), Self.coreAudio(seconds: 1), Self.flac(seconds: 1),
            Self.vorbis(seconds: 1), Self.wave(seconds: 1),
        ] {
            samples += (0..<min(whole.count, 60)).map { Array(whole.prefix($0)) }
        }
        // At the smallest possible rate the duration would exceed the largest number.
        samples.append(Self.aiff(seconds: 1, rate: [0x3B, 0xCD, 0x80, 0, 0, 0, 0, 0, 0, 0]))
        for bytes in samples {
            let file = try #require(SoundFile(path: try root.write(bytes, to: "sound")))
            #expect(!file.isPlayable || (file.duration ?? 0) <= 4)
            #expect(file.duration?.isFinite != false)
        }
        #expect(SoundFile(path: root.path + "/missing") == nil)
        #expect(SoundFile(path: root.path) == nil)
        let unknown = try #require(SoundFile(path: try root.write([1, 2], to: "sound")))
        #expect(!unknown.isPlayable)
    }

    // MARK: Folders

    private func place(_ bytes: [UInt8], _ path: String) throws {
        let url = URL(fileURLWithPath: root.path + "/" + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private var resources: AppResources {
        AppResources(
            of: ApplicationIdentity(
                id: .tocsin, name: "T", resources: [root.path + "/app", root.path + "/bundle"]),
            in: ResourceSurroundings(
                dataDirectories: [root.path + "/home", root.path + "/usr"]))
    }

    @Test
    func `the user's data directory comes before the system's, if the user has one`() {
        func directories(_ environment: [String: String]) -> [String] {
            ResourceSurroundings(environment: environment).dataDirectories
        }
        let system = ["/usr/local/share", "/usr/share"]
        #expect(directories([:]) == system)
        #expect(directories(["HOME": ""]) == system)
        #expect(directories(["HOME": "/h"]) == ["/h/.local/share"] + system)
        #expect(directories(["XDG_DATA_HOME": "/data"]) == ["/data"] + system)
    }

    @Test
    func `the user's sounds for the app come first, then the app's sounds, then shared sounds`()
        throws
    {
        let places = [
            "usr/sounds/bell.wav", "home/sounds/bell.wav", "bundle/sounds/bell.wav",
            "bundle/bell.wav", "app/sounds/bell.wav", "app/bell.wav",
            "home/org.tocsin.Tocsin/sounds/bell.wav",
        ]
        #expect(resources.sound(named: "bell.wav") == nil)
        for path in places {
            try place(Self.wave(seconds: 1), path)
            #expect(resources.sound(named: "bell.wav")?.path == root.path + "/" + path)
        }
        #expect(resources.sound(named: "../home/sounds/bell.wav") == nil)
        #expect(
            resources.sound(named: "sounds/bell.wav")?.path.hasSuffix("app/sounds/bell.wav") == true
        )
        let absolute = root.path + "/usr/sounds/bell.wav"
        #expect(resources.sound(named: absolute)?.path == absolute)
    }
}
