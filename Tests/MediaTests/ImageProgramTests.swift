import Foundation
import NotificationModel
import TestSupport
import Testing

/// Images, decoded by the program in its confinement.
@Suite(.timeLimit(.minutes(5))) struct ImageProgramTests {
    private let program: MediaProgram

    init() throws {
        program = try MediaProgram()
    }

    private func image(_ arguments: String...) async throws -> Image {
        let result = try await program.run(["image"] + arguments)
        try #require(result.status == 0, "\(result.said)")
        return try #require(Image(document: result.output))
    }

    /// Returns which of the three colours a pixel has; JPEG and WebP are not exact.
    private func colour(_ image: Image, _ x: Int, _ y: Int) -> String {
        let place = (y * image.width + x) * 4
        let pixel = Array(image.bytes[place..<place + 4])
        let names = zip(["red", "green", "blue"], pixel).filter { $0.1 > 200 }.map(\.0)
        return pixel[3] == 255 ? names.joined(separator: "+") : "transparent"
    }

    @Test(arguments: ["png", "jpg", "gif", "webp"])
    func `an image of each format is decoded and cropped`(format: String) async throws {
        let file = try await program.drawHalves("halves.\(format)")
        let all = try await image(file)
        #expect(all.width == 40 && all.height == 20)
        #expect(colour(all, 5, 10) == "red" && colour(all, 35, 10) == "blue")
        let part = try await image(file, "--part", "0.5,0.25,0.5,0.5")
        #expect(part.width == 20 && part.height == 10)
        #expect(colour(part, 4, 1) == "blue" && colour(part, 19, 9) == "blue")
    }

    @Test(arguments: ["gif", "webp"])
    func `the requested frame is decoded, and the frame after the last is the first`(
        format: String
    ) async throws {
        let file = try await program.drawFrames("frames.\(format)")
        var colours: [String] = []
        for frame in 0...4 {
            colours.append(colour(try await image(file, "--frame", "\(frame)"), 15, 10))
        }
        #expect(colours == ["red", "green", "blue", "red", "green"])
    }

    @Test func `a large image is scaled to 256 pixels`() async throws {
        let file = try await program.drawHalves("large.png", width: 1_000, height: 500)
        let image = try await image(file)
        #expect(image.width == 256 && image.height == 128)
        #expect(colour(image, 60, 64) == "red" && colour(image, 200, 64) == "blue")
    }

    @Test(arguments: ["png", "jpg", "gif", "webp"])
    func `an image becomes a PNG file with the same pixels`(format: String) async throws {
        let file = try await program.drawHalves("halves.\(format)", width: 600, height: 300)
        let pixels = try await image(file, "--part", "0,0,1,0.5")
        let made = try await image(file, "--part", "0,0,1,0.5", "--as", "png")
        #expect(made.form == .png && made.width == 256 && made.height == 64)
        let written = try program.write(made.bytes, to: "made.png")
        #expect(try await image(written) == pixels)
    }

    @Test func `a half transparent pixel stays half transparent`() async throws {
        let file = try program.write(TestPNG.bytes, to: "clear.png")
        #expect(try await image(file).bytes == [0, 0, 255, 127])
    }

    @Test(arguments: ["png", "jpg", "gif", "webp"])
    func `a truncated image is refused`(format: String) async throws {
        _ = try await program.drawHalves("whole.\(format)", width: 300, height: 300)
        let whole = try program.bytes(of: "whole.\(format)")
        let file = try program.write(Array(whole.prefix(whole.count / 2)), to: "cut.\(format)")
        let result = try await program.run(["image", file])
        #expect(result.status == 65 && result.output.isEmpty, "\(result.said)")
        #expect(result.said.contains("cut.\(format)"))
    }

    @Test(arguments: ["png", "jpg", "gif", "webp"])
    func `an image with a side of more than 8192 pixels is refused`(format: String) async throws {
        let file = try await program.draw("wide.\(format)", ["-size", "8200x1", "xc:red"])
        let result = try await program.run(["image", file])
        #expect(result.status == 65, "\(result.said)")
        #expect(result.said.contains("too wide"), "\(result.said)")
    }

    @Test func `a bomb whose header promises billions of pixels is refused`() async throws {
        _ = try await program.drawFrames("small.gif")
        var bytes = try program.bytes(of: "small.gif")
        // The size of the logical screen.
        bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let result = try await program.run([
            "image", try program.write(bytes, to: "bomb.gif"),
        ])
        #expect(result.status == 65 && result.output.isEmpty, "\(result.said)")
    }

    @Test func `only a regular file that contains an image is read`() async throws {
        let file = try await program.drawHalves("real.png")
        let link = program.path("link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let text = try program.write(Array("no picture at all".utf8), to: "text.png")
        let empty = try program.write([], to: "empty.png")
        for path in [link, text, empty, program.folder, program.path("missing"), "/dev/zero"] {
            let result = try await program.run(["image", path])
            #expect(result.status == 65 && result.output.isEmpty, "\(path): \(result.said)")
        }
    }

    @Test func `an image file above the size limit of attachments is refused`() async throws {
        let file = try await program.drawHalves("grown.png")
        try await RunningProgram.run("truncate", ["-s", "11M", file])
        let result = try await program.run(["image", file])
        #expect(result.status == 65 && result.said.contains("at most"), "\(result.said)")
    }

    @Test(arguments: [[], ["image"], ["else"], ["image", "/a", "--part", "1,1,1,1"]])
    func `an unknown command line is a usage error`(arguments: [String]) async throws {
        let result = try await program.run(arguments)
        #expect(result.status == 64 && result.said.contains("USAGE"))
    }

    @Test func `the media program decodes without privileges, new files or new processes`()
        async throws
    {
        let file = try await program.drawHalves("large.png", width: 512, height: 512)
        // The image is larger than the pipe. So the program waits until the pipe is read, and the
        // test can read the program's limits.
        let report = try await RunningProgram.run(
            "sh",
            [
                "-c",
                """
                mkfifo "$3"; "$1" image "$2" >"$3" & process=$!
                exec 3<"$3"; head -c 4 <&3 >/dev/null
                cat /proc/$process/status /proc/$process/limits
                grep -o -m 1 libglycin /proc/$process/maps; kill $process
                """, "sh", try MediaProgram.path(), file, program.path("pipe"),
            ])
        let lines = report.split(separator: "\n").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        var expected = [
            "NoNewPrivs: 1", "Max cpu time 2 2 seconds", "Max core file size 0 0 bytes",
            "Max address space 1073741824 1073741824 bytes",
        ]
        // glycin starts separate decoder processes and confines them.
        if !lines.contains("libglycin") {
            expected += ["Max open files 0 0 files", "Max processes 0 0 processes"]
            #if arch(x86_64) || arch(arm64)
            expected.append("Seccomp: 2")
            #endif
        }
        for line in expected { #expect(lines.contains(line), "\(line) in \(lines)") }
    }
}
