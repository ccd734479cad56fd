import NotificationModel
import Reactor
import ScriptedService
import Synchronization
import Testing

@testable import UserNotifications

@Suite struct DelegateTests {
    private let test = TestCenter()
    private let token = PresentationToken(rawValue: 7)

    private func connect(_ delegate: any UNUserNotificationCenterDelegate) async {
        test.center.delegate = delegate
        _ = await test.service.calls(with: .connect(.tocsin, asks: true))
    }

    private func answer() async -> PresentationOptions? {
        await test.service.send(.willPresent(token, TestCenter.delivered("asked")))
        let token = token
        let calls = await test.service.calls { calls in
            calls.contains { if case .answer(token, _) = $0 { true } else { false } }
        }
        for case .answer(_, let options) in calls { return options }
        return nil
    }

    private func acknowledged(_ id: Int64) async {
        await test.service.send(.response(TestCenter.response(id, .custom("like"))))
        _ = await test.service.calls(with: .acknowledge(id))
    }

    @Test func withNeitherFormTheNotificationIsShownAndNobodyIsAskedAgain() async {
        let delegate = Silent()
        await connect(delegate)
        #expect(await answer() == .all)
        _ = await test.service.calls(with: .setAsks(false))
        await acknowledged(1)
        // The class is remembered: another object of it is not asked either.
        let other = Silent()
        test.center.delegate = nil
        test.center.delegate = other
        try? await test.center.add(TestCenter.request())
        #expect(await !test.service.calls.contains(.setAsks(true)))
        withExtendedLifetime((delegate, other)) {}
    }

    @Test func theCompletionFormAloneIsAsked() async {
        let delegate = CompletionOnly()
        await connect(delegate)
        #expect(await answer() == [.banner])
        await acknowledged(1)
        #expect(delegate.log.lines == ["willPresent asked main", "didReceive like main"])
        #expect(await !test.service.calls.contains(.setAsks(false)))
    }

    @Test func theAsyncFormAloneIsAsked() async {
        let delegate = AsyncOnly()
        await connect(delegate)
        #expect(await answer() == [.sound])
        await acknowledged(1)
        #expect(delegate.log.lines == ["willPresent asked", "didReceive like"])
        #expect(await !test.service.calls.contains(.setAsks(false)))
    }

    @Test func aMainActorClassMayMixBothForms() async {
        let delegate = await MainActorMixed()
        await connect(delegate)
        #expect(await answer() == [.list, .banner])
        await acknowledged(1)
        #expect(await delegate.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func aPreconcurrencyConformanceIsCalledOnTheMainActor() async {
        let delegate = await MainActorPreconcurrency()
        await connect(delegate)
        #expect(await answer() == [.badge])
        await acknowledged(1)
        #expect(await delegate.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func aDelegateThatForwardsIsNotTakenForOneThatImplementsNothing() async {
        let inner = Silent()
        let delegate = Forwarding(to: inner)
        await connect(delegate)
        #expect(await answer() == .all)
        await acknowledged(1)
        #expect(await !test.service.calls.contains(.setAsks(false)))
    }

    @Test func aDelegateCanForwardToTheOtherForm() async {
        let inner = AsyncOnly()
        let delegate = Forwarding(to: inner)
        await connect(delegate)
        #expect(await answer() == [.sound])
        await acknowledged(1)
        #expect(inner.log.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func theFormThatIsMissingCanBeCalledDirectly() async {
        let completion = CompletionOnly()
        let notification = UNNotification(TestCenter.delivered("direct"))
        #expect(
            await completion.userNotificationCenter(test.center, willPresent: notification)
                == [.banner])
        let silent = Silent()
        #expect(
            await silent.userNotificationCenter(test.center, willPresent: notification) == .all)
        await silent.userNotificationCenter(
            test.center, didReceive: .made(of: TestCenter.response(1)))
    }

    @Test func responsesReachTheDelegateInTheirOrder() async {
        let delegate = CompletionOnly()
        await connect(delegate)
        for id in 1...100 {
            await test.service.send(
                .response(TestCenter.response(Int64(id), .custom("\(id)"))))
        }
        _ = await test.service.calls(with: .acknowledge(100))
        #expect(delegate.log.lines == (1...100).map { "didReceive \($0) main" })
    }

    @Test func aResponseWithoutADelegateWaitsForOne() async throws {
        try await test.center.add(TestCenter.request())
        for id in 1...3 {
            await test.service.send(
                .response(TestCenter.response(Int64(id), .custom("\(id)"))))
        }
        // One that is shown meanwhile needs nobody's leave.
        #expect(await answer() == .all)
        #expect(await !test.service.calls.contains(.acknowledge(1)))
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        _ = await test.service.calls(with: .acknowledge(3))
        #expect(delegate.log.lines == (1...3).map { "didReceive \($0) main" })
    }

    @Test func aResponseIsAcknowledgedOnlyAfterTheHandlerRan() async {
        let delegate = Slow()
        await connect(delegate)
        await test.service.send(.response(TestCenter.response(1, .custom("like"))))
        let finish = await delegate.waitForHandler()
        // A replay, as after a lost connection, does not reach the delegate twice.
        await test.service.send(.response(TestCenter.response(1, .custom("like"))))
        #expect(await answer() == .all)
        #expect(await !test.service.calls.contains(.acknowledge(1)))
        finish()
        finish()
        _ = await test.service.calls(with: .acknowledge(1))
        #expect(delegate.count == 1)
    }

    @Test func afterAFlushTheHandledAnswerIsAcknowledged() async {
        let delegate = Slow()
        await connect(delegate)
        await test.service.send(.response(TestCenter.response(1)))
        let finish = await delegate.waitForHandler()
        finish()
        await test.center.flush()
        #expect(await test.service.calls.contains(.acknowledge(1)))
    }

    @Test func aDelegateThatHasGoneIsNotAskedAgain() async {
        var delegate: CompletionOnly? = CompletionOnly()
        await connect(delegate ?? CompletionOnly())
        // An event keeps the delegate alive while the main actor handles it, also the first one.
        await acknowledged(1)
        await MainActor.run {}
        delegate = nil
        #expect(test.center.delegate == nil)
        #expect(await answer() == .all)
        _ = await test.service.calls(with: .setAsks(false))
    }

    @Test func aSecondAnswerIsIgnored() async {
        let delegate = Twice()
        await connect(delegate)
        #expect(await answer() == [.list])
        await acknowledged(1)
        let answers = await test.service.calls.filter {
            if case .answer = $0 { true } else { false }
        }
        #expect(answers.count == 1)
    }

    // MARK: A handler that is never called

    /// Hands a delegate a response, with thirty seconds that are over at once, and waits for its
    /// acknowledgement; the limits that were set.
    private func acknowledges(
        _ delegate: any UNUserNotificationCenterDelegate, id: Int64
    ) async -> [Duration] {
        let asked = Locked<[Duration]>([])
        let center = TestCenter(
            delays: DelayedWork { duration, work in
                guard duration == .seconds(30) else { return }
                asked.withLock { $0.append(duration) }
                work()
            })
        center.center.delegate = delegate
        _ = await center.service.calls(with: .connect(.tocsin, asks: true))
        await center.service.send(.response(TestCenter.response(id, .custom("like"))))
        _ = await center.service.calls(with: .acknowledge(id))
        #expect(await center.service.calls.filter { $0 == .acknowledge(id) }.count == 1)
        return asked.withLock(\.self)
    }

    /// A published library never calls the handler: its response came again at every start.
    @Test func `a handler that is not called counts as called thirty seconds later`() async {
        let delegate = Slow()
        #expect(await acknowledges(delegate, id: 1) == [.seconds(30)])
        // The late call changes nothing.
        let handler = await delegate.waitForHandler()
        handler()
        #expect(delegate.count == 1)
    }

    @Test func `a handler that was called and an async method have no limit`() async {
        #expect(await acknowledges(CompletionOnly(), id: 1) == [])
        #expect(await acknowledges(AsyncOnly(), id: 2) == [])
        #expect(await acknowledges(Forwarding(to: AsyncOnly()), id: 3) == [])
    }
}
