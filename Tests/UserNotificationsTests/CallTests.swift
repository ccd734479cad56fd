import CenterInterface
import NotificationModel
import Reactor
import ScriptedService
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(2))) struct CallTests {
    @Test func `calls keep their order without waiting for each other`() async throws {
        let test = TestCenter()
        let count = 10_000
        // The service answers the first add only after the last add has arrived. A center that
        // waited for each answer would never finish.
        let lastCame = Promise<Void>()
        await test.service.script(Members.add) { _ in await lastCame.value() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let (done, continuation) = AsyncStream.makeStream(of: Void.self)
                test.center.add(TestCenter.request("\(index)")) { error in
                    #expect(error == nil)
                    continuation.finish()
                }
                group.addTask { for await _ in done {} }
            }
            try await test.service.calls.first(count + 1)
            lastCame.fulfill(())
            try await group.waitForAll()
        }
        #expect(test.service.calls.all.first?.member == Members.connect.name)
        #expect(test.asks == [false])
        let added = test.service.inputs(of: Members.add).map(\.1.identifier)
        #expect(added == (0..<count).map(String.init))
    }

    @Test func `a list leaves out the requests that an earlier call removed`() async throws {
        let test = TestCenter()
        for identifier in ["a", "b", "c"] {
            test.center.add(TestCenter.request(identifier), withCompletionHandler: nil)
        }
        test.center.removePendingNotificationRequests(withIdentifiers: ["a", "unknown"])
        #expect(await test.center.pendingNotificationRequests().map(\.identifier) == ["b", "c"])
        test.center.removeAllPendingNotificationRequests()
        let rest = await withCheckedContinuation { continuation in
            test.center.getPendingNotificationRequests { continuation.resume(returning: $0) }
        }
        #expect(rest.isEmpty)
    }

    // The daemon refuses a call that names more than 1,024 identifiers.
    @Test func `a removal of many identifiers becomes several calls`() async throws {
        let test = TestCenter()
        let identifiers = (0..<2_500).map(String.init)
        test.center.removePendingNotificationRequests(withIdentifiers: identifiers)
        test.center.removeDeliveredNotifications(withIdentifiers: identifiers)
        await test.center.flush()
        let pending = test.service.inputs(of: Members.remove).map(\.1)
        let delivered = test.service.inputs(of: Members.removeDelivered).map(\.1)
        for parts in [pending, delivered] {
            #expect(parts.map(\.count) == [1_024, 1_024, 452])
            #expect(parts.flatMap { $0 } == identifiers)
        }
    }

    /// A call with a NUL cannot be sent, so the notifications of its other identifiers would stay.
    @Test func `a removal leaves out identifiers that no request can have`() async {
        let test = TestCenter()
        let identifiers = ["a", "b\0", "", String(repeating: "c", count: 1_025), "d"]
        test.center.removePendingNotificationRequests(withIdentifiers: identifiers)
        test.center.removeDeliveredNotifications(withIdentifiers: identifiers)
        await test.center.flush()
        #expect(test.service.inputs(of: Members.remove).map(\.1) == [["a", "d"]])
        #expect(test.service.inputs(of: Members.removeDelivered).map(\.1) == [["a", "d"]])
    }

    @Test func `handlers of add run in the order of the calls`() async {
        let test = TestCenter()
        let (order, continuation) = AsyncStream.makeStream(of: String.self)
        await test.service.script(Members.add) { input throws(NotificationError) in
            guard input.1.identifier == "1" else { return }
            throw NotificationError(.storeLocked, "Locked.")
        }
        let bad = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
        for index in 0..<200 {
            // Request 1 fails in the service. Every third request fails in the center.
            let request = TestCenter.request(
                "\(index)", trigger: index.isMultiple(of: 3) ? bad : nil)
            test.center.add(request) { error in
                continuation.yield("\(index) \(error == nil)")
                if index == 199 { continuation.finish() }
            }
        }
        var seen: [String] = []
        for await line in order { seen.append(line) }
        #expect(seen == (0..<200).map { "\($0) \(!$0.isMultiple(of: 3) && $0 != 1)" })
        #expect(test.service.inputs(of: Members.add).count == 133, "the center refuses 67 requests")
    }

    @Test func `a completion handler that blocks its thread delays no async call`() async throws {
        let test = TestCenter()
        let isOpen = DispatchSemaphore(value: 0)
        test.center.getPendingNotificationRequests { _ in isOpen.wait() }
        try await test.center.add(TestCenter.request())
        #expect(await test.center.pendingNotificationRequests().count == 1)
        isOpen.signal()
    }

    @Test func `categories and delivered notifications pass between the app and the service`()
        async throws
    {
        let test = TestCenter()
        let category = UNNotificationCategory(
            identifier: "b", actions: [UNNotificationAction(identifier: "x", title: "X")],
            intentIdentifiers: [])
        let other = UNNotificationCategory(
            identifier: "a", actions: [], intentIdentifiers: [])
        let service = test.service
        await service.script(Members.categoriesOfApp) { _ in
            service.inputs(of: Members.setCategories).last?.1 ?? []
        }
        test.center.setNotificationCategories([category, other])
        #expect(await test.center.notificationCategories() == [category, other])
        let sent = try #require(service.inputs(of: Members.setCategories).first?.1)
        #expect(sent.map(\.identifier) == ["a", "b"])
        await service.script(Members.delivered) { _ in
            ListPage(
                notifications: [TestCenter.delivered("two"), TestCenter.delivered("one")],
                next: nil)
        }
        #expect(
            await test.center.deliveredNotifications().map(\.request.identifier) == ["two", "one"])
        test.center.removeDeliveredNotifications(withIdentifiers: ["one"])
        test.center.removeAllDeliveredNotifications()
        try await service.inputs(of: Members.removeAllDelivered) { !$0.isEmpty }
        #expect(service.inputs(of: Members.removeDelivered).map(\.1) == [["one"]])
    }

    @Test func `a request reaches the service unchanged`() async throws {
        let test = TestCenter()
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.userInfo = ["order": 42]
        try await test.center.add(
            TestCenter.request(
                "r", content: content,
                trigger: UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)))
        var expected = NotificationContent(title: "Title")
        expected.userInfo = ["order": .integer(42)]
        #expect(
            test.service.inputs(of: Members.add).map(\.1) == [
                NotificationRequest(
                    identifier: "r", content: expected,
                    trigger: .interval(seconds: 5, repeats: false))
            ])
        let pending = await test.center.pendingNotificationRequests()
        #expect(pending.first?.content.userInfo["order"] as? Int == 42)
        #expect(pending.first?.trigger is UNTimeIntervalNotificationTrigger)
    }

    @Test func `the app connects under the identifier set in code`() async throws {
        let test = TestCenter()
        test.center.applicationIdentifier = "org.example.Own"
        try await test.center.add(TestCenter.request())
        let introduced = try #require(test.service.inputs(of: Members.connect).last)
        #expect(introduced.identity.id.rawValue == "org.example.Own")
        #expect(test.center.applicationIdentifier == "org.example.Own")
    }

    /// If the getter returned the earlier identifier, the app could not see why every call fails.
    @Test func `the getter returns an unusable app identifier, and each call fails`() async throws {
        let test = TestCenter()
        test.center.applicationIdentifier = "org.example.Own"
        test.center.applicationIdentifier = "a/b"
        #expect(test.center.applicationIdentifier == "a/b")
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request())
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `an app connects a second time if it sets its identifier after its delegate`()
        async throws
    {
        let test = TestCenter()
        let delegate = CompletionOnly()
        test.center.delegate = delegate
        try await test.waitUntil(asks: true)
        test.center.applicationIdentifier = "org.example.Own"
        let connects = try await test.service.inputs(of: Members.connect) {
            $0.last?.identity.id.rawValue == "org.example.Own"
        }
        #expect(connects.last?.sessionOptions.asksBeforePresenting == true)
        withExtendedLifetime(delegate) {}
    }

    @Test func `calls during one attempt to connect share its failure`() async throws {
        let attempts = Mutex(0)
        let service = ScriptedService()
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { () async throws(NotificationError) in
                    let attempt = attempts.withLock { count in
                        count += 1
                        return count
                    }
                    guard attempt == 1 else { return service }
                    for await _ in opened {}
                    throw NotificationError(.noDaemon, "It did not start.")
                }))
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        for index in 0..<100 {
            center.add(TestCenter.request("\(index)")) { error in
                end.yield((error as? UNServiceError)?.code == .noDaemon)
                if index == 99 { end.finish() }
            }
        }
        open.finish()
        for await failed in ends { #expect(failed) }
        #expect(attempts.withLock { $0 } == 1)
        try await center.add(TestCenter.request("again"))
        #expect(service.inputs(of: Members.add).map(\.1.identifier) == ["again"])
    }

    @Test func `the center connects to a service that replaces a lost service`() async throws {
        let first = ScriptedService()
        let second = ScriptedService()
        let center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { first.inputs(of: Members.add).isEmpty ? first : second }))
        try await center.add(TestCenter.request("a"))
        try await center.add(TestCenter.request("b"))
        for (service, identifier) in [(first, "a"), (second, "b")] {
            let members = service.calls.all.map(\.member)
            #expect(members == [Members.connect.name, Members.add.name])
            let introduced = try #require(service.inputs(of: Members.connect).first)
            #expect(introduced.identity.id == .tocsin)
            #expect(introduced.sessionOptions == .init(handlesResponses: false))
            #expect(service.inputs(of: Members.add).map(\.1.identifier) == [identifier])
        }
    }

    @Test func `a center that is released ends its session`() async throws {
        let service: ScriptedService
        do {
            let test = TestCenter()
            service = test.service
            try await test.center.add(TestCenter.request())
        }
        try await service.inputs(of: Members.disconnect) { $0 == [.tocsin] }
        #expect(service.calls.all.last?.member == Members.disconnect.name)
    }

    @Test func `a trigger's next date counts from now, and a past date has no next date`() throws {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false)
        let before = Date()
        let date = try #require(trigger.nextTriggerDate())
        // The model counts whole microseconds.
        #expect(date >= before.addingTimeInterval(100 - 0.000_001))
        #expect(date <= Date().addingTimeInterval(100 + 0.000_001))
        #expect(
            UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
                .nextTriggerDate() == nil)
        let past = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(year: 2000, month: 1, day: 1), repeats: false)
        #expect(past.nextTriggerDate() == nil)
        let next = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(second: 0), repeats: true)
        #expect(try #require(next.nextTriggerDate()) > before)
    }
}
