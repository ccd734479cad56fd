internal import Foundation
internal import GRDB

/// A checksum of what a row says, so that a flipped bit is found before it is acted on.
///
/// FNV-1a with 64 bits: the fault is decay of a medium, not an adversary, and a row is short.
struct RowChecksum {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// As SQLite stores it.
    var value: Int64 { Int64(bitPattern: hash) }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    /// A separator, so that moving a byte from one column to the next is seen.
    private mutating func endColumn() {
        hash = (hash ^ 0x1FF) &* 0x100_0000_01B3
    }

    private mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        endColumn()
    }

    private mutating func combine(_ payload: Data) {
        // A span, because the iterator of `Data` copies.
        let bytes = payload.span
        for index in bytes.indices { add(bytes[index]) }
        endColumn()
    }

    private mutating func combine(_ number: Int64?) {
        guard let number else { return combine(EmptyCollection()) }
        combine((0..<8).lazy.map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    static func of(_ texts: String..., numbers: [Int64?] = [], payload: Data) -> Int64 {
        var sum = RowChecksum()
        for text in texts { sum.combine(text.utf8) }
        for number in numbers { sum.combine(number) }
        sum.combine(payload)
        return sum.value
    }

    /// `row_checksum(…)` of the columns that a table's checksum covers, so that one statement can
    /// change all rows of a kind.
    static var sqlFunction: DatabaseFunction {
        DatabaseFunction("row_checksum", pure: true) { values in
            var sum = RowChecksum()
            for value in values {
                switch value.storage {
                case .null: sum.combine(Int64?.none)
                case .int64(let number): sum.combine(number)
                case .string(let text): sum.combine(text.utf8)
                case .blob(let bytes): sum.combine(bytes)
                case .double: return nil
                }
            }
            return sum.value
        }
    }
}
