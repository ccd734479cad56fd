import Foundation
import Testing

@testable import NotificationStore

@Suite("The checksum of a row")
struct RowChecksumTests {
    let payload = Data("a payload".utf8)

    @Test
    func `the same row has the same checksum, and every changed row has a different checksum`() {
        let none: Int64? = nil
        let sum = RowChecksum.of("app", "id", 1, none, payload)
        #expect(sum == RowChecksum.of("app", "id", 1, none, payload))
        let others = [
            RowChecksum.of("app", "i", 1, none, payload),
            RowChecksum.of("appi", "d", 1, none, payload),
            RowChecksum.of("app", "id", none, 1, payload),
            RowChecksum.of("app", "id", 1, 0, payload),
            RowChecksum.of("app", "id", 1, payload),
            RowChecksum.of("app", "id", 1, none, payload + [0]),
        ]
        #expect(Set(others + [sum]).count == others.count + 1)
    }

    @Test
    func `every flipped bit of a payload changes the checksum`() {
        let sum = RowChecksum.of("app", payload)
        for index in payload.indices {
            for bit in 0..<8 {
                var damaged = payload
                damaged[index] ^= 1 << bit
                #expect(RowChecksum.of("app", damaged) != sum)
            }
        }
    }
}
