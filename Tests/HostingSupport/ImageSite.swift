internal import Foundation
internal import TestSupport

/// A local web server that serves one image.
package enum ImageSite {
    /// Serves a folder with the image `town.png`, and runs `body` with the folder's address.
    package static func serving(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("site-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestImage.draw(folder.appendingPathComponent("town.png").path)
        let site = try RunningProgram(
            "/usr/bin/python3",
            ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path])
        let line = try await site.lines.first("the port") { $0.contains(" port ") }
        let port = line.components(separatedBy: " port ").last?.prefix { $0.isNumber } ?? ""
        do {
            try await body("http://127.0.0.1:\(port)")
        } catch {
            await site.stop()
            throw error
        }
        await site.stop()
    }
}
