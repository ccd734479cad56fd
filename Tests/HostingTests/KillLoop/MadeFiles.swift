import Foundation
import Glibc
import TestSupport

/// Reports the files that programs make in a folder, by inotify(7).
final class MadeFiles: Sendable {
    /// The mask `IN_IGNORED` of the last event, which has 16 bytes and no name.
    private static let ignored: [UInt8] = [0, 0x80, 0, 0]

    private let descriptor: Int32
    private let watch: Int32
    private let news = Recording<Data>()

    init(in folder: String) throws {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        watch = inotify_add_watch(descriptor, folder, UInt32(IN_CREATE))
        guard watch >= 0 else { throw HarnessError("\(folder) cannot be watched") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Thread.detachNewThread { [news] in
            while case let data = file.availableData, !data.isEmpty {
                news.append(data)
                if data.suffix(16).dropFirst(4).prefix(4).elementsEqual(Self.ignored) { return }
            }
        }
    }

    deinit {
        inotify_rm_watch(descriptor, watch)
    }

    /// Waits until a file of this name is made.
    func wait(for name: String) async throws {
        let end = Data((name + "\0").utf8)
        try await news.wait(for: name, within: 30) { $0.contains { $0.range(of: end) != nil } }
    }
}
