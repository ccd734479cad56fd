import CenterInterface
import NotificationModel
import ScriptedService
import Testing
import UserNotifications

/// The ways to write a delegate and to replace it.
@Suite(.timeLimit(.minutes(2))) struct DelegateFormTests {
    private let test = TestCenter()

    private func set(_ delegate: (any UNUserNotificationCenterDelegate)?) async throws {
        test.center.delegate = delegate
        try await test.center.add(TestCenter.request())
    }

    private func respond(_ id: Int64, _ action: NotificationResponse.Action) async throws {
        await test.service.send(.response(TestCenter.response(id, action)))
        try await test.waitUntilAcknowledged(id)
    }

    @Test func `a delegate without an actor may mix completion and async forms`()
        async throws
    {
        let (one, other) = (MixedOne(), MixedOther())
        try await set(one)
        #expect(try await test.decision(1) == [.list])
        try await respond(1, .standard)
        try await set(other)
        #expect(try await test.decision(2) == [.list])
        try await respond(2, .standard)
        #expect(one.log.lines == ["willPresent", "didReceive"])
        #expect(other.log.lines == ["willPresent", "didReceive"])
    }

    @Test func `a delegate that only receives responses shows every notification`() async throws {
        let delegate = ReceivingOnly()
        try await set(delegate)
        #expect(try await test.decision() == .all)
        try await test.waitUntil(asks: false)
        try await respond(1, .dismiss)
        #expect(delegate.log.lines == ["didReceive"])
    }

    @Test func `a delegate without didReceive loses responses, as on Apple's platforms`()
        async throws
    {
        let delegate = PresentingOnly()
        try await set(delegate)
        #expect(try await test.decision() == [.banner])
        try await respond(1, .custom("like"))
        withExtendedLifetime(delegate) {}
    }

    @Test func `the center calls a delegate's overrides and its inherited methods`() async throws {
        let presenting = OverridesPresenting()
        try await set(presenting)
        #expect(try await test.decision(1) == [.sound])
        try await respond(1, .custom("like"))
        #expect(presenting.log.lines == ["override", "ancestor like"])
        let receiving = OverridesReceiving()
        try await set(receiving)
        #expect(try await test.decision(2) == [.badge])
        try await respond(2, .custom("like"))
        #expect(receiving.log.lines == ["ancestor", "override", "ancestor like"])
    }

    @Test func `a delegate may be isolated to an actor of the app`() async throws {
        let delegate = IsolatedElsewhere()
        try await set(delegate)
        #expect(try await test.decision() == [.banner, .sound])
        try await respond(1, .standard)
        #expect(await delegate.lines == ["willPresent", "didReceive"])
    }

    @Test func `a delegate gets each action's identifier and the text of a reply`()
        async throws
    {
        let delegate = CompletionOnly()
        try await set(delegate)
        try await respond(1, .standard)
        try await respond(2, .custom("like"))
        try await respond(3, .reply("comment", text: "Fine!"))
        try await respond(4, .dismiss)
        #expect(
            delegate.log.lines == [
                "didReceive com.apple.UNNotificationDefaultActionIdentifier main",
                "didReceive like main", "didReceive comment 'Fine!' main",
                "didReceive com.apple.UNNotificationDismissActionIdentifier main",
            ])
    }

    @Test func `after the delegate is replaced, a response goes to the new delegate`() async throws
    {
        let (former, later) = (Slow(), CompletionOnly())
        try await set(former)
        await test.service.send(.response(TestCenter.response(1, .custom("one"))))
        let finish = await former.waitForHandler()
        try await set(later)
        try await respond(2, .custom("two"))
        // The first delegate still has response 1, and may finish it.
        #expect(!test.acknowledged.contains(1))
        finish()
        try await test.waitUntilAcknowledged(1)
        #expect(later.log.lines == ["didReceive two main"])
        #expect(former.count == 1)
    }

    @Test func `a response that comes after its delegate is gone waits for the next delegate`()
        async throws
    {
        var gone: CompletionOnly? = CompletionOnly()
        try await set(gone)
        gone = nil
        #expect(test.center.delegate == nil)
        await test.service.send(.response(TestCenter.response(1, .custom("one"))))
        #expect(try await test.decision() == .all)
        let next = CompletionOnly()
        try await set(next)
        try await test.waitUntilAcknowledged(1)
        #expect(next.log.lines == ["didReceive one main"])
    }

    /// The service sends responses only to a process that has a delegate.
    @Test func `the service learns with one call that the app has a delegate`() async throws {
        let (first, second) = (CompletionOnly(), CompletionOnly())
        try await test.center.add(TestCenter.request())
        try await set(first)
        try await set(second)
        #expect(
            test.service.inputs(of: Members.connect).map(\.sessionOptions) == [
                .init(handlesResponses: false), .init(asksBeforePresenting: true),
            ])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `an app whose first call sets its delegate connects once`() async throws {
        let delegate = CompletionOnly()
        try await set(delegate)
        #expect(
            test.service.inputs(of: Members.connect).map(\.sessionOptions) == [
                .init(asksBeforePresenting: true)
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test func `a delegate that is never asked before a popup still handles responses`()
        async throws
    {
        test.center.isApplicationActive = false
        let delegate = CompletionOnly()
        try await set(delegate)
        #expect(
            test.service.inputs(of: Members.connect).map(\.sessionOptions) == [
                .init(handlesResponses: false), .init(),
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test func `a press of the settings button calls the delegate`() async throws {
        let delegate = await WithSettings()
        try await set(delegate)
        await test.service.send(.openSettings(TestCenter.delivered("asked")))
        #expect(await delegate.firstOpened() == "asked")
    }

    @Test func `a press of the settings button waits for a delegate`() async throws {
        try await test.center.add(TestCenter.request())
        await test.service.send(.openSettings(TestCenter.delivered("asked")))
        // The center handles events in order: after this decision it has handled the press.
        #expect(try await test.decision() == .all)
        let delegate = await WithSettings()
        try await set(delegate)
        #expect(await delegate.firstOpened() == "asked")
    }

    @Test func `a delegate's late answer is sent, and a second answer is ignored`()
        async throws
    {
        let delegate = Undecided()
        try await set(delegate)
        let token = PresentationToken(rawValue: 1)
        await test.service.send(.willPresent(token, TestCenter.delivered("asked")))
        let answer = await delegate.handler()
        #expect(test.service.inputs(of: Members.decidePresentation).isEmpty)
        answer([.banner, .list])
        answer([])
        try await test.service.inputs(of: Members.decidePresentation) { !$0.isEmpty }
        try await test.center.add(TestCenter.request())
        let decisions = test.service.inputs(of: Members.decidePresentation)
        #expect(decisions.map(\.1) == [[.banner, .list]])
    }
}
