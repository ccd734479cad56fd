import Foundation
import TestSupport

/// A disk to which a program writes, and the files that a power cut may leave on it.
///
/// It owns the synced and the unsynced changes.
///
/// It promises that synced data survives. Any unsynced sector of 512 bytes may be lost. Changes of
/// names since the last sync of their folder may be lost, the latest first. It never loses a new
/// folder.
struct DiskImage {
    private static let sector = 512

    private enum Change {
        case write(offset: Int, [UInt8])
        case size(Int)
        case growth(Int)
    }

    private enum NameChange {
        case add(String, Int)
        case remove(String)
        case move(String, to: String)
        case exchange(String, String)

        var folder: String {
            switch self {
            case .add(let path, _), .remove(let path), .move(_, let path), .exchange(_, let path):
                String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
            }
        }

        func apply(to names: inout [String: Int]) {
            switch self {
            case .add(let path, let file): names[path] = file
            case .remove(let path): names[path] = nil
            case .move(let path, let target):
                if let file = names.removeValue(forKey: path) { names[target] = file }
            case .exchange(let first, let second):
                (names[first], names[second]) = (names[second], names[first])
            }
        }
    }

    /// The part of the unsynced changes that is lost.
    enum Loss: CaseIterable {
        case nothing, everything, something
    }

    private var synced: [Int: [UInt8]] = [:]
    private var changes: [Int: [Change]] = [:]
    private var names: [String: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var nameChanges: [NameChange] = []
    private var count = 0

    /// Applies the program's next change.
    mutating func apply(_ entry: DiskLog.Entry) {
        switch entry.kind {
        case .create:
            count += 1
            synced[count] = []
            rename(.add(entry.path, count))
        case .write: change(entry.path, .write(offset: entry.offset, entry.data))
        case .truncate: change(entry.path, .size(entry.offset))
        case .allocate: change(entry.path, .growth(entry.offset))
        case .sync: sync(entry.path)
        case .rename: rename(.move(entry.path, to: entry.target))
        case .exchange: rename(.exchange(entry.path, entry.target))
        case .link: if let file = names[entry.path] { rename(.add(entry.target, file)) }
        case .unlink: rename(.remove(entry.path))
        case .makeFolder: break
        }
    }

    private mutating func rename(_ change: NameChange) {
        change.apply(to: &names)
        nameChanges.append(change)
    }

    private mutating func change(_ path: String, _ change: Change) {
        guard let file = names[path] else { return }
        changes[file, default: []].append(change)
    }

    private mutating func sync(_ path: String) {
        if let file = names[path] {
            var bytes = synced[file] ?? []
            for change in changes.removeValue(forKey: file) ?? [] {
                Self.apply(change, to: &bytes) { true }
            }
            synced[file] = bytes
        } else {
            for change in nameChanges where change.folder == path {
                change.apply(to: &syncedNames)
            }
            nameChanges.removeAll { $0.folder == path }
        }
    }

    /// Writes below `folder` the files that a power cut may leave at this moment.
    func write(to folder: String, losing loss: Loss, _ random: inout SeededGenerator) throws {
        var left = syncedNames
        let first = loss == .something ? Int.random(in: 0...nameChanges.count, using: &random) : 0
        for change in nameChanges.prefix(loss == .nothing ? nameChanges.count : first) {
            change.apply(to: &left)
        }
        for (path, file) in left {
            var bytes = synced[file] ?? []
            for change in changes[file] ?? [] {
                Self.apply(change, to: &bytes) {
                    switch loss {
                    case .nothing: true
                    case .everything: false
                    case .something: Bool.random(using: &random)
                    }
                }
            }
            let target = URL(filePath: folder + path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(bytes).write(to: target)
        }
    }

    /// Applies a change; `isThere` decides for each sector whether it reached the disk.
    private static func apply(
        _ change: Change, to bytes: inout [UInt8], isThere: () -> Bool
    ) {
        switch change {
        case .write(let offset, let data):
            var start = 0
            while start < data.count {
                let next = min(data.count, (offset + start) / sector * sector + sector - offset)
                if isThere() {
                    grow(&bytes, to: offset + next)
                    bytes.replaceSubrange(offset + start..<offset + next, with: data[start..<next])
                }
                start = next
            }
        case .size(let size):
            guard isThere() else { return }
            if size < bytes.count { bytes.removeLast(bytes.count - size) }
            grow(&bytes, to: size)
        case .growth(let size): if isThere() { grow(&bytes, to: size) }
        }
    }

    private static func grow(_ bytes: inout [UInt8], to size: Int) {
        if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    }
}
