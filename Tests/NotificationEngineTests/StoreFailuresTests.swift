import NotificationModel
import Testing

@testable import NotificationEngine

/// The changes that a full disk refuses fail again each second.
@Suite struct StoreFailuresTests {
    private let second: Int64 = 1_000_000

    @Test func `in a long outage failures are logged less and less often`() {
        var failures = StoreFailures()
        var logged: [Int64] = []
        for time in 0..<3_600 {
            // In each second 64 changes fail.
            for change in 0..<64 as Range<Int64>
            where failures.recordFailure(.noSpace, boot: 5 + Int64(time) * second + change) {
                logged.append(Int64(time))
            }
        }
        #expect(logged == [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 2_047])
    }

    @Test func `a failure after a minute without failures begins a new outage`() {
        var failures = StoreFailures()
        let times = ([0, 1, 2, 62, 63, 64, 124, 185, 186] as [Int64]).map { $0 * second }
        let logged = times.filter { failures.recordFailure(.noSpace, boot: $0) }
        #expect(logged.map { $0 / second } == [0, 1, 62, 185, 186])
    }

    /// If the log waited, the long outage of the full disk would hide the new error.
    @Test func `a different error during an outage is logged at once`() {
        var failures = StoreFailures()
        for time in 0..<100 as Range<Int64> {
            _ = failures.recordFailure(.noSpace, boot: time * second)
        }
        // The outage of the full disk continues.
        let later: [(NotificationError.Code, Int64)] = [
            (.storeUnavailable, 99_000_000), (.storeUnavailable, 99_000_001),
            (.noSpace, 100_000_000),
        ]
        let logged = later.map { failures.recordFailure($0.0, boot: $0.1) }
        #expect(logged == [true, false, false])
    }
}
