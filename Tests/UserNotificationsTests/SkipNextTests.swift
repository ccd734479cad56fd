import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// `skipNext`, in both of its forms.
@Suite struct SkipNextTests {
    private static let error = NotificationError(.invalidArgument, "It fires only once. Remove it.")

    @Test func itGivesTheDateOnWhichTheRequestFiresNext() async throws {
        let test = TestCenter()
        let next = try await test.center.skipNext(identifier: "pills")
        #expect(next == Date(timeIntervalSince1970: 2))
        #expect(await test.service.calls.last == .skip("pills"))
        let (date, error) = await withCheckedContinuation { continuation in
            test.center.skipNext(identifier: "pills") {
                continuation.resume(returning: ($0, $1?.localizedDescription))
            }
        }
        #expect(date == next && error == nil)
    }

    @Test func aRefusalIsAnErrorOfTheServiceWithItsReason() async throws {
        let test = TestCenter()
        await test.service.fail(Self.error, Self.error)
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

    @Test func aSkipComesAfterTheAddBeforeIt() async throws {
        let test = TestCenter()
        test.center.add(TestCenter.request("a"), withCompletionHandler: nil)
        test.center.skipNext(identifier: "a", completionHandler: nil)
        await test.center.flush()
        let calls = await test.service.calls
        #expect(calls.suffix(2) == [.add("a"), .skip("a")])
    }
}
