import NotificationModel
import ScriptedService
import Testing

@testable import UserNotifications

/// Every way to write a delegate, and to exchange it.
@Suite struct DelegateFormTests {
    private let test = TestCenter()

    private func set(_ delegate: (any UNUserNotificationCenterDelegate)?) async {
        test.center.delegate = delegate
        try? await test.center.add(TestCenter.request())
    }

    private func answer(_ number: UInt64 = 1) async -> PresentationOptions? {
        let token = PresentationToken(rawValue: number)
        await test.service.send(.willPresent(token, TestCenter.delivered("asked")))
        let calls = await test.service.calls { calls in
            calls.contains { if case .answer(token, _) = $0 { true } else { false } }
        }
        for case .answer(token, let options) in calls { return options }
        return nil
    }

    private func respond(_ id: Int64, _ action: NotificationResponse.Action) async {
        await test.service.send(.response(TestCenter.response(id, action)))
        _ = await test.service.calls(with: .acknowledge(id))
    }

    @Test func theFormsMayBeMixedInAClassWithoutAnActor() async {
        let (one, other) = (MixedOne(), MixedOther())
        await set(one)
        #expect(await answer(1) == [.list])
        await respond(1, .standard)
        await set(other)
        #expect(await answer(2) == [.list])
        await respond(2, .standard)
        #expect(one.log.lines == ["willPresent", "didReceive"])
        #expect(other.log.lines == ["willPresent", "didReceive"])
    }

    @Test func whoOnlyReceivesHasEverythingShown() async {
        let delegate = ReceivingOnly()
        await set(delegate)
        #expect(await answer() == .all)
        _ = await test.service.calls(with: .setAsks(false))
        await respond(1, .dismiss)
        #expect(delegate.log.lines == ["didReceive"])
    }

    @Test func whoOnlyPresentsLosesResponsesAsOnApplesPlatforms() async {
        let delegate = PresentingOnly()
        await set(delegate)
        #expect(await answer() == [.banner])
        await respond(1, .custom("like"))
        withExtendedLifetime(delegate) {}
    }

    @Test func anOverrideIsCalledAndWhatIsNotOverriddenIsTheAncestors() async {
        let presenting = OverridesPresenting()
        await set(presenting)
        #expect(await answer(1) == [.sound])
        await respond(1, .custom("like"))
        #expect(presenting.log.lines == ["override", "ancestor like"])
        let receiving = OverridesReceiving()
        await set(receiving)
        #expect(await answer(2) == [.badge])
        await respond(2, .custom("like"))
        #expect(receiving.log.lines == ["ancestor", "override", "ancestor like"])
    }

    @Test func aDelegateMayBeIsolatedToAnActorOfTheApp() async {
        let delegate = IsolatedElsewhere()
        await set(delegate)
        #expect(await answer() == [.banner, .sound])
        await respond(1, .standard)
        #expect(await delegate.lines == ["willPresent", "didReceive"])
    }

    @Test func everyKindOfActionHasItsIdentifierAndAReplyItsText() async {
        let delegate = CompletionOnly()
        await set(delegate)
        await respond(1, .standard)
        await respond(2, .custom("like"))
        await respond(3, .reply("comment", text: "Fine!"))
        await respond(4, .dismiss)
        #expect(
            delegate.log.lines == [
                "didReceive com.apple.UNNotificationDefaultActionIdentifier main",
                "didReceive like main", "didReceive comment main",
                "didReceive com.apple.UNNotificationDismissActionIdentifier main",
            ])
        let reply = UNNotificationResponse.made(
            of: TestCenter.response(5, .reply("comment", text: "Fine!")))
        #expect((reply as? UNTextInputNotificationResponse)?.userText == "Fine!")
    }

    @Test func whatComesAfterAnExchangeGoesToTheNewDelegate() async {
        let (former, later) = (Slow(), CompletionOnly())
        await set(former)
        await test.service.send(.response(TestCenter.response(1, .custom("one"))))
        let finish = await former.waitForHandler()
        await set(later)
        await respond(2, .custom("two"))
        // The former one still has the first, and may finish it.
        #expect(await !test.service.calls.contains(.acknowledge(1)))
        finish()
        _ = await test.service.calls(with: .acknowledge(1))
        #expect(later.log.lines == ["didReceive two main"])
        #expect(former.count == 1)
    }

    @Test func whatComesWhileADelegateHasGoneWaitsForTheNext() async {
        var gone: CompletionOnly? = CompletionOnly()
        await set(gone)
        gone = nil
        #expect(test.center.delegate == nil)
        await test.service.send(.response(TestCenter.response(1, .custom("one"))))
        #expect(await answer() == .all)
        let next = CompletionOnly()
        await set(next)
        _ = await test.service.calls(with: .acknowledge(1))
        #expect(next.log.lines == ["didReceive one main"])
    }

    @Test func theAppIsToldToOpenItsSettings() async {
        let delegate = await WithSettings()
        await set(delegate)
        await test.service.send(.openSettings(TestCenter.delivered("asked")))
        #expect(await delegate.firstOpened() == "asked")
    }

    @Test func anAnswerThatComesLateIsPassedOnOnce() async {
        let delegate = Undecided()
        await set(delegate)
        let token = PresentationToken(rawValue: 1)
        await test.service.send(.willPresent(token, TestCenter.delivered("asked")))
        let answer = await delegate.handler()
        #expect(await !test.service.calls.contains { if case .answer = $0 { true } else { false } })
        answer([.banner, .list])
        answer([])
        _ = await test.service.calls(with: .answer(token, [.banner, .list]))
        try? await test.center.add(TestCenter.request())
        let answers = await test.service.calls.filter {
            if case .answer = $0 { true } else { false }
        }
        #expect(answers.count == 1)
    }
}
