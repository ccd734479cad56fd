import CenterInterface
import NotificationModel
import ScriptedService
import Testing
import UserNotifications

/// `snooze`, in both of its forms.
@Suite(.timeLimit(.minutes(2))) struct SnoozeTests {
    private static let error = NotificationError(.invalidArgument, "It is not pending. Look.")

    @Test func `a snooze returns the date on which the notification comes again`() async throws {
        let test = TestCenter()
        await test.service.script(Members.snooze) { _ in Instant(microseconds: 3_000_000) }
        let date = try await test.center.snooze(identifier: "tea", for: 600)
        #expect(date == Date(timeIntervalSince1970: 3))
        let snoozed = try #require(test.service.inputs(of: Members.snooze).last)
        #expect(snoozed == (.tocsin, "tea", 600))
        let (again, error) = await withCheckedContinuation { continuation in
            test.center.snooze(identifier: "tea", for: 60) {
                continuation.resume(returning: ($0, $1?.localizedDescription))
            }
        }
        #expect(again == date && error == nil)
    }

    @Test func `a refused snooze throws the service's error with its reason`() async throws {
        let test = TestCenter()
        await test.service.fail(Members.snooze, with: Self.error)
        let thrown = await #expect(throws: UNServiceError.self) {
            try await test.center.snooze(identifier: "tea", for: 60)
        }
        #expect(thrown?.code == .invalidArgument)
        let (date, message) = await withCheckedContinuation { continuation in
            test.center.snooze(identifier: "tea", for: 60) {
                continuation.resume(returning: ($0, $1?.localizedDescription))
            }
        }
        #expect(date == nil && message == Self.error.message)
    }
}
