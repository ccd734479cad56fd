internal import Glibc
internal import NotificationModel

/// Reads the lines of a descriptor as they arrive.
///
/// It reads ahead, so no other code may read the descriptor.
struct LineReader {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var position = 0
    /// The number of the line that was read last, from 1.
    private(set) var number = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next line without its line feed; nil at the end of the input.
    mutating func next() throws(ToolError) -> [UInt8]? {
        while true {
            if let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                number += 1
                return Array(bytes[position..<end])
            }
            guard bytes.count - position <= Limits.inputLine.most else {
                throw ToolError.data(Limits.inputLine.excess(of: "Line \(number + 1)"))
            }
            bytes.removeFirst(position)
            position = 0
            guard try readMore() else {
                defer { bytes = [] }
                number += bytes.isEmpty ? 0 : 1
                return bytes.isEmpty ? nil : bytes
            }
        }
    }

    /// Whether `next()` would return without waiting for input.
    mutating func isNextAtHand() throws(ToolError) -> Bool {
        while !bytes[position...].contains(UInt8(ascii: "\n")) {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard bytes.count - position <= Limits.inputLine.most else { return true }
            guard poll(&wait, 1, 0) > 0 else { return false }
            guard try readMore() else { return true }
        }
        return true
    }

    private mutating func readMore() throws(ToolError) -> Bool {
        guard let chunk = UserFile.chunk(of: descriptor) else {
            throw ToolError.data(
                "The input could not be read: \(String(cString: strerror(errno))).")
        }
        bytes += chunk
        return !chunk.isEmpty
    }
}
