import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// The foreground: a process on a Linux desktop does not know that it is in front, unless it says so.
@Suite struct DelegateActivityTests {
    private let test = TestCenter()

    @Test func itIsUnknownUntilTheAppSaysIt() {
        #expect(test.center.isApplicationActive == nil)
        test.center.isApplicationActive = true
        #expect(test.center.isApplicationActive == true)
        test.center.isApplicationActive = nil
        #expect(test.center.isApplicationActive == nil)
    }

    @Test func inFrontWhatNobodyDecidesIsHiddenAndTheNextOneAskedAboutAgain() async throws {
        let delegate = Silent()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
        #expect(try await test.decision(2) == [])
        #expect(!test.asks.contains(false))
        withExtendedLifetime(delegate) {}
    }

    @Test func inFrontWithoutADelegateNothingIsShown() async throws {
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
        #expect(try await test.decision(2) == [])
        #expect(!test.asks.contains(false))
    }

    @Test func inFrontADelegateIsObeyed() async throws {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [.banner])
    }

    @Test func inFrontADelegateThatForwardsToNobodyHidesToo() async throws {
        let delegate = Forwarding(to: Silent())
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        try await test.waitUntil(asks: true)
        #expect(try await test.decision(1) == [])
    }

    @Test func behindNobodyIsAskedAndWhereItIsUnknownAgainTheDelegateIs() async throws {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        try await test.waitUntil(asks: true)
        test.center.isApplicationActive = false
        try await test.waitUntil(asks: false)
        test.center.isApplicationActive = nil
        try await test.waitUntil(asks: true)
        withExtendedLifetime(delegate) {}
    }

    @Test func whoIsKnownToBeSilentIsNotAskedAgainAfterTheForeground() async throws {
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
