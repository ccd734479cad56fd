import CenterInterface
import NotificationModel
import ScriptedService
import TestSupport
import Testing
import UserNotifications

/// `skipNext`, in both of its forms.
@Suite(.timeLimit(.minutes(2))) struct SkipNextTests {
    private static let error = NotificationError(.invalidArgument, "It fires only once. Remove it.")

    @Test func `a skip returns the date on which the request fires next`() async throws {
        let test = TestCenter()
        let dates = SkippedOccurrence(
            skipped: Instant(microseconds: 1_000_000), next: Instant(microseconds: 2_000_000))
        await test.service.script(Members.skip) { _ in dates }
        let next = try await test.center.skipNext(identifier: "pills")
        #expect(next == Date(timeIntervalSince1970: 2))
        #expect(try #require(test.service.inputs(of: Members.skip).last) == (.tocsin, "pills"))
        let (date, error) = await withCheckedContinuation { continuation in
            test.center.skipNext(identifier: "pills") {
                continuation.resume(returning: ($0, $1?.localizedDescription))
            }
        }
        #expect(date == next && error == nil)
    }

    @Test func `a refused skip throws the service's error with its reason`() async throws {
        let test = TestCenter()
        await test.service.fail(Members.skip, with: Self.error)
        let thrown = await #expect(throws: UNServiceError.self) {
            try await test.center.skipNext(identifier: "tea")
        }
        #expect(thrown?.code == .invalidArgument)
        let (date, message) = await withCheckedContinuation { continuation in
            test.center.skipNext(identifier: "tea") {
                continuation.resume(returning: ($0, $1?.localizedDescription))
            }
        }
        #expect(date == nil)
        #expect(message == Self.error.message)
    }

    @Test func `a skip reaches the service after an earlier add`() async throws {
        let test = TestCenter()
        test.center.add(TestCenter.request("a"), withCompletionHandler: nil)
        test.center.skipNext(identifier: "a", completionHandler: nil)
        await test.center.flush()
        #expect(
            test.service.calls.all.map(\.member).suffix(2)
                == [Members.add.name, Members.skip.name])
        #expect(test.service.inputs(of: Members.skip).map(\.1) == ["a"])
    }
}
