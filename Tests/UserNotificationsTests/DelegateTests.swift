import CenterInterface
import NotificationModel
import Reactor
import ScriptedService
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(2))) struct DelegateTests {
    private let test = TestCenter()

    private func connect(_ delegate: any UNUserNotificationCenterDelegate) async throws {
        test.center.delegate = delegate
        try await test.waitUntil(asks: true)
    }

    private func acknowledged(_ id: Int64) async throws {
        await test.service.send(.response(TestCenter.response(id, .custom("like"))))
        try await test.waitUntilAcknowledged(id)
    }

    @Test func `a delegate without methods shows the notification and is not asked again`()
        async throws
    {
        let delegate = Silent()
        try await connect(delegate)
        #expect(try await test.decision() == .all)
        try await test.waitUntil(asks: false)
        try await acknowledged(1)
        // The center remembers the class, so it does not ask another object of that class either.
        let other = Silent()
        test.center.delegate = nil
        test.center.delegate = other
        try await test.center.add(TestCenter.request())
        #expect(test.asks == [true, false])
        withExtendedLifetime((delegate, other)) {}
    }

    @Test func `a delegate with only the completion form is asked`() async throws {
        let delegate = CompletionOnly()
        try await connect(delegate)
        #expect(try await test.decision() == [.banner])
        try await acknowledged(1)
        #expect(delegate.log.lines == ["willPresent asked main", "didReceive like main"])
        #expect(!test.asks.contains(false))
    }

    @Test func `a delegate with only the async form is asked`() async throws {
        let delegate = AsyncOnly()
        try await connect(delegate)
        #expect(try await test.decision() == [.sound])
        try await acknowledged(1)
        #expect(delegate.log.lines == ["willPresent asked", "didReceive like"])
        #expect(!test.asks.contains(false))
    }

    @Test func `a delegate on the main actor may mix both forms`() async throws {
        let delegate = await MainActorMixed()
        try await connect(delegate)
        #expect(try await test.decision() == [.list, .banner])
        try await acknowledged(1)
        #expect(await delegate.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func `a delegate with a preconcurrency conformance is called on the main actor`()
        async throws
    {
        let delegate = await MainActorPreconcurrency()
        try await connect(delegate)
        #expect(try await test.decision() == [.badge])
        try await acknowledged(1)
        #expect(await delegate.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func `a delegate that forwards to a delegate without methods is still asked`()
        async throws
    {
        let inner = Silent()
        let delegate = Forwarding(to: inner)
        try await connect(delegate)
        #expect(try await test.decision() == .all)
        try await acknowledged(1)
        #expect(!test.asks.contains(false))
    }

    @Test func `a delegate of one form can forward to a delegate of the other form`() async throws {
        let inner = AsyncOnly()
        let delegate = Forwarding(to: inner)
        try await connect(delegate)
        #expect(try await test.decision() == [.sound])
        try await acknowledged(1)
        #expect(inner.log.lines == ["willPresent asked", "didReceive like"])
    }

    @Test func `the form that a delegate lacks can be called directly`() async {
        let completion = CompletionOnly()
        let notification = UNNotification(TestCenter.delivered("direct"))
        #expect(
            await completion.userNotificationCenter(test.center, willPresent: notification)
                == [.banner])
        let silent = Silent()
        #expect(
            await silent.userNotificationCenter(test.center, willPresent: notification)
                == [.badge, .sound, .list, .banner])
        await silent.userNotificationCenter(
            test.center, didReceive: .made(of: TestCenter.response(1)))
    }

    @Test func `responses reach the delegate in their order`() async throws {
        let delegate = CompletionOnly()
        try await connect(delegate)
        for id in 1...100 {
            await test.service.send(
                .response(TestCenter.response(Int64(id), .custom("\(id)"))))
        }
        try await test.waitUntilAcknowledged(100)
        #expect(delegate.log.lines == (1...100).map { "didReceive \($0) main" })
    }

    @Test func `a response waits until the app sets a delegate`() async throws {
        try await test.center.add(TestCenter.request())
        for id in 1...3 {
            await test.service.send(
                .response(TestCenter.response(Int64(id), .custom("\(id)"))))
        }
        // A notification that arrives while no delegate is set is shown.
        #expect(try await test.decision() == .all)
        #expect(!test.acknowledged.contains(1))
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        try await test.waitUntilAcknowledged(3)
        #expect(delegate.log.lines == (1...3).map { "didReceive \($0) main" })
    }

    @Test func `a response is acknowledged only after the handler ran`() async throws {
        let delegate = Slow()
        try await connect(delegate)
        await test.service.send(.response(TestCenter.response(1, .custom("like"))))
        let finish = await delegate.waitForHandler()
        // The service sends the response again, as after a lost connection.
        await test.service.send(.response(TestCenter.response(1, .custom("like"))))
        #expect(try await test.decision() == .all)
        #expect(!test.acknowledged.contains(1))
        finish()
        finish()
        try await test.waitUntilAcknowledged(1)
        #expect(delegate.count == 1)
    }

    /// An app may set its delegate before its id.
    ///
    /// The service sends its stored responses under both ids.
    @Test func `a response that comes again under the app's new id reaches the delegate once`()
        async throws
    {
        let delegate = Slow()
        try await connect(delegate)
        var response = TestCenter.response(1, .custom("like"))
        await test.service.send(.response(response))
        let finish = await delegate.waitForHandler()
        response.notification.app = try ApplicationID("org.example.New")
        await test.service.send(.response(response))
        // The center handles events in order: after this decision it has handled the response.
        #expect(try await test.decision() == .all)
        finish()
        try await test.waitUntilAcknowledged(1)
        #expect(delegate.count == 1)
    }

    @Test func `after a flush a handled response is acknowledged`() async throws {
        let delegate = Slow()
        try await connect(delegate)
        await test.service.send(.response(TestCenter.response(1)))
        let finish = await delegate.waitForHandler()
        finish()
        await test.center.flush()
        #expect(test.acknowledged.contains(1))
    }

    @Test func `a delegate that has gone is not asked again`() async throws {
        var delegate: CompletionOnly? = CompletionOnly()
        try await connect(delegate ?? CompletionOnly())
        // The center keeps the delegate alive while the main actor handles an event.
        try await acknowledged(1)
        await MainActor.run {}
        delegate = nil
        #expect(test.center.delegate == nil)
        #expect(try await test.decision() == .all)
        try await test.waitUntil(asks: false)
    }

    @Test func `a delegate's second answer is ignored`() async throws {
        let delegate = Twice()
        try await connect(delegate)
        #expect(try await test.decision() == [.list])
        try await acknowledged(1)
        #expect(test.service.inputs(of: Members.decidePresentation).count == 1)
    }

    // A delegate may forward to the async form. The second answer must not end the process.
    @Test func `a second answer to the form that a delegate lacks is ignored`() async {
        let delegate = Twice()
        let notification = UNNotification(TestCenter.delivered("direct"))
        #expect(
            await delegate.userNotificationCenter(test.center, willPresent: notification)
                == [.list])
        await delegate.userNotificationCenter(
            test.center, didReceive: .made(of: TestCenter.response(1)))
    }

    // MARK: An app that only sets a delegate

    /// A pause after a failure to connect, and the work that ends it.
    private typealias Pause = (length: Duration, end: @Sendable () -> Void)

    private static func delays(recording pauses: Recording<Pause>) -> DelayedWork {
        DelayedWork { length, end in
            // Delays of five seconds belong to `MainQueueWatch`.
            if length < .seconds(5) { pauses.append((length, end)) }
        }
    }

    /// Returns a center whose connections fail with this error, and the pauses after the failures.
    private static func failing(
        _ code: NotificationError.Code
    ) async -> (center: TestCenter, pauses: Recording<Pause>) {
        let pauses = Recording<Pause>()
        let center = TestCenter(delays: delays(recording: pauses))
        await center.service.fail(
            Members.connect, with: NotificationError(code, "The connection failed."))
        return (center, pauses)
    }

    /// At login the daemon may still be opening its store.
    ///
    /// Without a session, a click would start the running app a second time.
    @Test func `an app that only sets a delegate connects again after a failure`() async throws {
        let (test, pauses) = await Self.failing(.noDaemon)
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        try await pauses.first(1)[0].end()
        let second = try await pauses.first(2)[1]
        await test.service.script(Members.connect) { _ in .unknown }
        second.end()
        try await test.service.inputs(of: Members.connect) { $0.count == 3 }
        await test.service.send(.response(TestCenter.response(1, .custom("like"))))
        try await test.waitUntilAcknowledged(1)
        #expect(delegate.log.lines == ["didReceive like main"])
        #expect(pauses.all.map(\.length) == [.seconds(1), .seconds(2)])
        #expect(test.asks == [true, true, true])
    }

    @Test func `untilIdle does not wait again after a reconnection`() async throws {
        let (test, pauses) = await Self.failing(.noDaemon)
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        let pause = try await pauses.first(1)[0]
        // The pause ends during the wait.
        await test.service.script(Members.connect) { _ in
            pause.end()
            return .unknown
        }
        await test.center.untilIdle()
        #expect(test.service.inputs(of: Members.waitUntilIdle).count == 1)
        withExtendedLifetime(delegate) {}
    }

    /// A call may find another service than before, and this service may refuse the connection.
    @Test func `an app that lost its service connects again after a failure`() async throws {
        let first = ScriptedService()
        let second = ScriptedService()
        let pauses = Recording<Pause>()
        let center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { first.inputs(of: Members.connect).isEmpty ? first : second }),
            delays: Self.delays(recording: pauses))
        await second.fail(
            Members.connect, with: NotificationError(.storeElsewhere, "The store is in use."))
        center.isApplicationActive = true
        try await first.inputs(of: Members.connect) { $0.count == 1 }
        center.isApplicationActive = false
        let pause = try await pauses.first(1)[0]
        await second.script(Members.connect) { _ in .unknown }
        pause.end()
        try await second.inputs(of: Members.connect) { $0.count == 2 }
        withExtendedLifetime(center) {}
    }

    /// An engine in the app ends if its store fails.
    ///
    /// No request fires until a call starts a new engine.
    @Test func `an app that only sets a delegate connects again after the end of its service`()
        async throws
    {
        let first = ScriptedService()
        let second = ScriptedService()
        let pauses = Recording<Pause>()
        let ends = Recording<@Sendable () -> Void>()
        var source = ServiceSource(
            application: { ApplicationIdentity(id: .tocsin, name: "Test") },
            service: { first.inputs(of: Members.connect).isEmpty ? first : second })
        source.onServiceEnd = { ends.append($0) }
        let center = UNUserNotificationCenter(
            source: source,
            delays: DelayedWork { length, work in
                if length == .seconds(10) { pauses.append((length, work)) }
            })
        center.isApplicationActive = true
        try await first.inputs(of: Members.connect) { $0.count == 1 }
        try await ends.first(1)[0]()
        try await pauses.first(1)[0].end()
        try await second.inputs(of: Members.connect) { $0.count == 1 }
        withExtendedLifetime(center) {}
    }

    @Test func `an app that only sets a delegate does not connect again after a final failure`()
        async throws
    {
        let (test, pauses) = await Self.failing(.outdatedDaemon)
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        // The center connects for the delegate before it makes this call.
        await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request())
        }
        #expect(pauses.all.isEmpty)
        withExtendedLifetime(delegate) {}
    }

    // MARK: A handler that is never called

    /// Gives a delegate a response, and waits for the acknowledgement.
    ///
    /// The limit of thirty seconds ends immediately. Returns the limits that the center has set.
    private func acknowledges(
        _ delegate: any UNUserNotificationCenterDelegate, id: Int64
    ) async throws -> [Duration] {
        let asked = Locked<[Duration]>([])
        let center = TestCenter(
            delays: DelayedWork { duration, work in
                guard duration == .seconds(30) else { return }
                asked.withLock { $0.append(duration) }
                work()
            })
        center.center.delegate = delegate
        try await center.waitUntil(asks: true)
        await center.service.send(.response(TestCenter.response(id, .custom("like"))))
        try await center.waitUntilAcknowledged(id)
        #expect(center.acknowledged == [id])
        return asked.withLock(\.self)
    }

    /// A published library never calls the handler.
    ///
    /// Without a time limit the response would come again at every start of the app.
    @Test func `a response whose handler is not called is acknowledged after 30 seconds`()
        async throws
    {
        let delegate = Slow()
        #expect(try await acknowledges(delegate, id: 1) == [.seconds(30)])
        // The late call changes nothing.
        let handler = await delegate.waitForHandler()
        handler()
        #expect(delegate.count == 1)
    }

    @Test func `a handler that was called and an async method have no time limit`() async throws {
        #expect(try await acknowledges(CompletionOnly(), id: 1) == [])
        #expect(try await acknowledges(AsyncOnly(), id: 2) == [])
        #expect(try await acknowledges(Forwarding(to: AsyncOnly()), id: 3) == [])
    }
}
