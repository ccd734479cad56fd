import CenterInterface
import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// `Skip` on the wire.
@Suite(.timeLimit(.minutes(2))) struct SkipCallTests {
    private static let dates = SkippedOccurrence(
        skipped: Instant(microseconds: -5), next: Instant(microseconds: .max))

    @Test
    func `both dates are read back unchanged, and a reply without two valid dates is refused`()
        throws
    {
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

    @Test func `a skip reaches the service and its dates or error come back`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        await center.service.script(Members.skip) { _ in Self.dates }
        #expect(try await client.skip("tea", of: .tocsin) == Self.dates)
        #expect(try #require(center.service.inputs(of: Members.skip).last) == (.tocsin, "tea"))
        let error = NotificationError(.invalidArgument, "It fires only once. Remove it.")
        await center.service.fail(Members.skip, with: error)
        await #expect(throws: error) { try await client.skip("tea", of: .tocsin) }
    }
}
