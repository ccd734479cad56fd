import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

struct PNGDocumentTests {
    /// 256 × 256 pixels are several blocks of data.
    @Test(arguments: [(1, 1), (3, 2), (256, 256)])
    func aReaderSeesThePixelsThatWereWritten(width: Int, height: Int) async throws {
        let bytes = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
        let picture = try #require(Picture(width: width, height: height, bytes: bytes))
        let bus = try PrivateBus()
        let path = bus.directory + "/picture.png"
        try Data(PNGDocument(picture).bytes).write(to: URL(filePath: path))
        let raw = bus.directory + "/picture.raw"
        try await RunningProgram.run("convert", [path, "-depth", "8", "RGBA:" + raw])
        let seen = try #require(FileManager.default.contents(atPath: raw))
        #expect(Array(seen) == bytes)
    }
}
