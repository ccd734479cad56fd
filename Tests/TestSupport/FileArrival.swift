internal import Foundation
internal import Reactor

/// Waits for files that programs make.
package enum FileArrival {
    /// Returns once a file is at this path; its folder must exist.
    package static func wait(for path: String, within seconds: Int = 60) async throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let reactor = Reactor.started("arrival")
        let watch = Locked<PathWatch?>(nil)
        defer {
            watch.withLock { $0 = nil }
            reactor.stop()
        }
        let changes = Recording<Bool>()
        reactor.perform {
            @Sendable func recordPresence() {
                changes.append(FileManager.default.fileExists(atPath: path))
            }
            do {
                let entry = try reactor.watch(folder: folder, for: [.created, .movedIn]) { _ in
                    recordPresence()
                }
                watch.withLock { $0 = entry }
                // The file may be there already.
                recordPresence()
            } catch {
                changes.finish("\(folder) cannot be watched: \(error)")
            }
        }
        try await changes.wait(for: "the file \(path)", within: seconds) { $0.contains(true) }
    }
}
