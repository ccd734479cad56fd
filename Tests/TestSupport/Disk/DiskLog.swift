internal import Foundation

/// The changes that a program made to a disk, in order, as `DiskShim` recorded them.
package struct DiskLog: Sendable {
    /// One change.
    package struct Entry: Sendable {
        /// The kind of change, with the numbers of `DiskShim.c`.
        package enum Kind: UInt32, Sendable {
            case write = 1
            case sync = 2
            case truncate = 4
            case rename = 16
            case unlink = 32
            case allocate = 128
            case create = 256
            case exchange = 512
            case link = 1_024
            case makeFolder = 2_048
        }

        package let kind: Kind
        /// The path relative to the folder.
        package let path: String
        /// The offset of the bytes written, or the size of the file afterwards.
        package let offset: Int
        package let data: [UInt8]
        /// The second path of a rename, an exchange or a link.
        package var target: String
        /// The size of the log up to the end of this entry.
        package let end: Int
    }

    /// The file of the log.
    package let path: String
    /// The folder whose changes the log holds.
    package let folder: String

    /// The size of the log so far.
    ///
    /// The log holds every change that the program made before its last output.
    package var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// All changes so far.
    package func entries() throws -> [Entry] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var entries: [Entry] = []
        var place = 0
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[place + offset..<place + offset + count].reversed().reduce(0) {
                $0 << 8 | Int($1)
            }
        }
        while place + 24 <= bytes.count {
            let (names, length) = (number(4, 4), number(16, 8))
            let end = place + 24 + names + length
            guard end <= bytes.count, let kind = Entry.Kind(rawValue: UInt32(number(0, 4))) else {
                throw HarnessError("The disk log is broken at \(place).")
            }
            let data = Array(bytes[place + 24 + names..<end])
            entries.append(
                Entry(
                    kind: kind, path: relative(bytes[place + 24..<place + 24 + names]),
                    offset: number(8, 8), data: data, target: relative(data[...]), end: end))
            place = end
        }
        return entries
    }

    private func relative(_ path: ArraySlice<UInt8>) -> String {
        let text = String(decoding: path, as: UTF8.self)
        return text.hasPrefix(folder) ? String(text.dropFirst(folder.count)) : text
    }
}
