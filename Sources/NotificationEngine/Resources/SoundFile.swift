internal import Glibc
internal import NotificationModel

/// A sound file that exists, and how long it plays.
struct SoundFile: Hashable, Sendable {
    /// The longest sound of a notification, in seconds; Apple's.
    static let longest = 30.0

    let path: String
    /// In seconds; nil where the format is not known or the file is damaged.
    let duration: Double?

    /// Whether it is played; otherwise the default sound is.
    var isPlayable: Bool { duration.map { $0 > 0 && $0 <= Self.longest } ?? false }

    /// Looks at a file, or fails where there is none that can be read.
    init?(path: String) {
        // Sound themes consist of links.
        guard let file = OpenFile(following: path) else { return nil }
        self.path = path
        duration = SoundDuration(reading: SoundBytes(file: file)).seconds
    }
}

/// The bytes of a file by their places; what lies beyond its end is not there.
struct SoundBytes {
    let file: OpenFile

    var count: Int { file.size }

    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= file.size - count else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        return pread(file.descriptor, &buffer, count, off_t(offset)) == count ? buffer : nil
    }

    func matches(_ text: String, at offset: Int) -> Bool {
        bytes(at: offset, text.utf8.count) == Array(text.utf8)
    }

    func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        bytes(at: offset, MemoryLayout<Number>.size)?.reduce(Number.zero) { $0 << 8 | Number($1) }
    }

    func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        bigEndian(type, at: offset)?.byteSwapped
    }
}
