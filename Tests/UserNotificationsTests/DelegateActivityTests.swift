import NotificationModel
import ScriptedService
import Testing
import UserNotifications

/// On Linux the app itself tells the center whether it is in the foreground.
@Suite(.timeLimit(.minutes(2))) struct DelegateActivityTests {
    private let test = TestCenter()

    @Test func `the activity is unknown until the app reports it`() {
        #expect(test.center.isApplicationActive == nil)
        test.center.isApplicationActive = true
        #expect(test.center.isApplicationActive == true)
        test.center.isApplicationActive = nil
        #expect(test.center.isApplicationActive == nil)
    }

    @Test
    func `in the foreground a delegate without methods shows nothing and is asked each time`()
        async throws
    {
        let delegate = Silent()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
        #expect(try await test.decision(2) == [])
        #expect(!test.asks.contains(false))
        withExtendedLifetime(delegate) {}
    }

    @Test func `a foreground app without a delegate shows nothing`() async throws {
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
        #expect(try await test.decision(2) == [])
        #expect(!test.asks.contains(false))
    }

    @Test func `a foreground app's delegate decides what is shown`() async throws {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [.banner])
    }

    @Test func `a foreground app's delegate that forwards to an empty delegate shows nothing`()
        async throws
    {
        let delegate = Forwarding(to: Silent())
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
    }

    @Test func `a delegate is not asked in the background, and is asked in an unknown state`()
        async throws
    {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        try await test.waitUntil(asks: true)
        test.center.isApplicationActive = false
        try await test.waitUntil(asks: false)
        test.center.isApplicationActive = nil
        try await test.waitUntil(asks: true)
        withExtendedLifetime(delegate) {}
    }

    @Test func `a delegate without methods is not asked again after the activity becomes unknown`()
        async throws
    {
        let delegate = Silent()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
        test.center.isApplicationActive = nil
        try await test.waitUntil(asks: false)
        withExtendedLifetime(delegate) {}
    }
}
