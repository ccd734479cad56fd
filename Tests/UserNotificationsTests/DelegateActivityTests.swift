import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// The foreground: a process on a Linux desktop does not know that it is in front, unless it says so.
@Suite struct DelegateActivityTests {
    private let test = TestCenter()

    private func answer(_ number: UInt64) async -> PresentationOptions? {
        let token = PresentationToken(rawValue: number)
        await test.service.send(.willPresent(token, TestCenter.delivered("asked")))
        let calls = await test.service.calls { calls in
            calls.contains { if case .answer(token, _) = $0 { true } else { false } }
        }
        for case .answer(token, let options) in calls { return options }
        return nil
    }

    @Test func itIsUnknownUntilTheAppSaysIt() {
        #expect(test.center.isApplicationActive == nil)
        test.center.isApplicationActive = true
        #expect(test.center.isApplicationActive == true)
        test.center.isApplicationActive = nil
        #expect(test.center.isApplicationActive == nil)
    }

    @Test func inFrontWhatNobodyDecidesIsHiddenAndTheNextOneAskedAboutAgain() async {
        let delegate = Silent()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        #expect(await answer(1) == [])
        #expect(await answer(2) == [])
        #expect(await !test.service.calls.contains(.setAsks(false)))
        withExtendedLifetime(delegate) {}
    }

    @Test func inFrontWithoutADelegateNothingIsShown() async {
        test.center.isApplicationActive = true
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        #expect(await answer(1) == [])
        #expect(await answer(2) == [])
        #expect(await !test.service.calls.contains(.setAsks(false)))
    }

    @Test func inFrontADelegateIsObeyed() async {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        #expect(await answer(1) == [.banner])
    }

    @Test func inFrontADelegateThatForwardsToNobodyHidesToo() async {
        let delegate = Forwarding(to: Silent())
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        #expect(await answer(1) == [])
    }

    @Test func behindNobodyIsAskedAndWhereItIsUnknownAgainTheDelegateIs() async {
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        test.center.isApplicationActive = false
        _ = await test.service.calls(with: .setAsks(false))
        test.center.isApplicationActive = nil
        _ = await test.service.calls(with: .setAsks(true))
        withExtendedLifetime(delegate) {}
    }

    @Test func whoIsKnownToBeSilentIsNotAskedAgainAfterTheForeground() async {
        let delegate = Silent()
        test.center.delegate = delegate
        test.center.isApplicationActive = true
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
        #expect(await answer(1) == [])
        test.center.isApplicationActive = nil
        _ = await test.service.calls(with: .setAsks(false))
        withExtendedLifetime(delegate) {}
    }
}
