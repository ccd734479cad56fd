import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// Sound files, translations and stored payloads with arbitrary bytes.
@Suite struct FileFuzzTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `no sound file stops the program, and a length is finite and not negative`() throws {
        let formats: [[UInt8]] = [
            Array("RIFF\u{24}\0\0\0WAVEfmt \u{10}\0\0\0\u{1}\0\u{1}\0".utf8)
                + [0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]
                + Array("data".utf8) + [0, 0, 1, 0],
            Array("FORM\0\0\0\u{2E}AIFFCOMM\0\0\0\u{12}\0\u{1}\0\0\u{10}\0\0\u{10}".utf8)
                + [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0],
            Array("caff\0\u{1}\0\0desc\0\0\0\0\0\0\0 ".utf8) + [UInt8](repeating: 0x40, count: 40),
            Array("fLaC\0\0\0\"".utf8) + [UInt8](repeating: 0x10, count: 34),
            Array("OggS\0\u{2}".utf8) + [UInt8](repeating: 0, count: 20)
                + [1, 30, 1] + Array("vorbis".utf8) + [UInt8](repeating: 1, count: 60),
        ]
        let path = directory.path + "/sound"
        try FuzzRun("sound", rounds: 3_000).mutants(of: formats) { bytes in
            guard let file = fopen(path, "w") else { throw HarnessError("no file") }
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            guard let sound = try? OpenFile(path: path),
                let seconds = SoundDuration(file: sound).seconds
            else { return }
            guard seconds >= 0, seconds.isFinite else { throw HarnessError("\(seconds) s") }
        }
    }

    @Test func `no strings file stops the program`() throws {
        let folder = directory.path + "/app.resources/en.lproj"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let resources = AppResources(
            of: ApplicationIdentity(
                id: .tocsin, name: "T", resources: [directory.path + "/app.resources"]),
            in: ResourceSurroundings(languages: ["en"]))
        try FuzzRun("strings-file", rounds: 150).mutants(
            of: [
                "/* c */\n\"MAIL\" = \"%@ wrote %2$@ %%\"; // d\nONLY = \"only\";\n",
                "{ MAIL = (a, <0fbd77>, { b = c; }); }",
            ], words: ["\\U0000", "%9999999999$@", "%@", "/*", "*/", "\";", "<", "{", "("]
        ) { (text: String) in
            try Data(text.utf8).write(to: URL(filePath: folder + "/Localizable.strings"))
            for key in ["MAIL", "ONLY"] {
                _ = resources.text(LocalizedText(key: key, arguments: ["a", "b"]))
            }
        }
    }

    @Test func `no stored payload stops the program`() throws {
        var request = NotificationRequest.sample("a", .interval(seconds: 60, repeats: true))
        request.content.userInfo = ["k": .array([.integer(.max), .date(Instant(microseconds: 0))])]
        let payload = try PayloadCoding.encode(request)
        try FuzzRun("payload", rounds: 2_000).mutants(of: [[UInt8](payload)]) { bytes in
            _ = try? PayloadCoding.decodeRequest(from: Data(bytes))
        }
    }
}
