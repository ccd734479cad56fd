internal import Foundation
internal import GRDB

/// A checksum of a row, which finds a flipped bit before anything acts on the row.
///
/// 64-bit FNV-1a is enough to find decay of a disk; it gives no protection against an attacker.
struct RowChecksum {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    private mutating func add(_ byte: UInt64) {
        hash = (hash ^ byte) &* 0x100_0000_01B3
    }

    private mutating func add(_ column: DatabaseValue) {
        switch column.storage {
        case .null: break
        case .int64(let number):
            for shift in 0..<8 { add(UInt64(UInt8(truncatingIfNeeded: number >> (shift * 8)))) }
        case .string(let text):
            for byte in text.utf8 { add(UInt64(byte)) }
        case .blob(let payload):
            // Use a span, because the iterator of `Data` copies.
            let bytes = payload.span
            for index in bytes.indices { add(UInt64(bytes[index])) }
        // The store writes no floating-point number; only damage makes one.
        case .double: add(0x1FE)
        }
        // Separate the columns: the sum then changes when a byte moves from one column to the next.
        add(0x1FF)
    }

    /// The checksum of these columns, as SQLite stores it.
    static func of(_ columns: [DatabaseValue]) -> Int64 {
        var sum = RowChecksum()
        for column in columns { sum.add(column) }
        return Int64(bitPattern: sum.hash)
    }

    static func of<each Column: DatabaseValueConvertible>(_ columns: repeat each Column) -> Int64 {
        var sum = RowChecksum()
        for column in repeat each columns { sum.add(column.databaseValue) }
        return Int64(bitPattern: sum.hash)
    }

    /// The SQL function `row_checksum(…)` of the columns that a table's checksum covers.
    ///
    /// With this function, one statement can change many rows together with their checksums.
    static var sqlFunction: DatabaseFunction {
        DatabaseFunction("row_checksum", pure: true) { of($0) }
    }
}
