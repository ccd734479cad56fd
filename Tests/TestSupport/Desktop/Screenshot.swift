internal import Foundation

/// Screenshots, kept with the run's artefacts.
package enum Screenshot {
    /// The folder for the artefacts of a run: `TOCSIN_ARTIFACTS`, or `artifacts` below the
    /// current directory.
    package static var folder: String {
        ProcessInfo.processInfo.environment["TOCSIN_ARTIFACTS"]
            ?? FileManager.default.currentDirectoryPath + "/artifacts"
    }

    /// Saves the whole screen as `name.png` and returns its path.
    @discardableResult
    package static func save(_ name: String, of screen: any Screen) async throws -> String {
        let path = "\(folder)/\(name).png"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HarnessError("creating \(folder) for screenshots failed: \(error)")
        }
        try await screen.save(path)
        return path
    }
}
