import Foundation
import Testing

@testable import NotificationStore

@Suite("The checksum of a row")
struct RowChecksumTests {
    let payload = Data("a payload".utf8)

    @Test("The same row has the same checksum, and every change has another")
    func changes() {
        let sum = RowChecksum.of("app", "id", numbers: [1, nil], payload: payload)
        #expect(sum == RowChecksum.of("app", "id", numbers: [1, nil], payload: payload))
        let others = [
            RowChecksum.of("app", "i", numbers: [1, nil], payload: payload),
            RowChecksum.of("appi", "d", numbers: [1, nil], payload: payload),
            RowChecksum.of("app", "id", numbers: [nil, 1], payload: payload),
            RowChecksum.of("app", "id", numbers: [1, 0], payload: payload),
            RowChecksum.of("app", "id", numbers: [1], payload: payload),
            RowChecksum.of("app", "id", numbers: [1, nil], payload: payload + [0]),
        ]
        #expect(Set(others + [sum]).count == others.count + 1)
    }

    @Test("Every flipped bit of a payload is seen")
    func everyBit() {
        let sum = RowChecksum.of("app", payload: payload)
        for index in payload.indices {
            for bit in 0..<8 {
                var damaged = payload
                damaged[index] ^= 1 << bit
                #expect(RowChecksum.of("app", payload: damaged) != sum)
            }
        }
    }
}
