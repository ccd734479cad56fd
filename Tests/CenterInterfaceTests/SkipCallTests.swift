import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// `Skip` on the wire.
@Suite struct SkipCallTests {
    private static let dates = SkippedOccurrence(
        skipped: Instant(microseconds: -5), next: Instant(microseconds: .max))

    @Test func bothDatesAreReadBackAsTheyWere() throws {
        #expect(
            try SkippedOccurrence.record.value(
                of: SkippedOccurrence.record.busValue(of: Self.dates), "it") == Self.dates)
        #expect(throws: NotificationError.self) {
            try SkippedOccurrence.record.value(of: .vardict([("skipped", .int64(1))]), "it")
        }
        #expect(throws: NotificationError.self) {
            try SkippedOccurrence.record.value(
                of: .vardict([("skipped", .string("1")), ("next", .int64(2))]), "it")
        }
    }

    @Test func aSkipReachesTheServiceAndItsDatesOrErrorComeBack() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let dates = try await client.skip("tea", of: .tocsin)
        #expect(dates.skipped == Instant(microseconds: 1_000_000))
        #expect(dates.next == Instant(microseconds: 2_000_000))
        #expect(await center.service.calls.last == .skip("tea"))
        let error = NotificationError(.invalidArgument, "It fires only once. Remove it.")
        await center.service.fail(error)
        await #expect(throws: error) { try await client.skip("tea", of: .tocsin) }
    }
}
