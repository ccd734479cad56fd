import NotificationModel
import ScriptedService
import Synchronization
import Testing

@testable import UserNotifications

@Suite struct CallTests {
    @Test func callsKeepTheirOrderWithoutWaitingForEachOther() async {
        let test = TestCenter()
        let count = 10_000
        // No add is answered before the last one has come: a center that waits for the one before
        // would never end here.
        await test.service.holdAdds(until: count)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let (done, continuation) = AsyncStream.makeStream(of: Void.self)
                test.center.add(TestCenter.request("\(index)")) { error in
                    #expect(error == nil)
                    continuation.finish()
                }
                group.addTask { for await _ in done {} }
            }
        }
        let calls = await test.service.calls
        #expect(calls.first == .connect(.tocsin, asks: false))
        #expect(calls.dropFirst() == (0..<count).map { .add("\($0)") }[...])
    }

    @Test func aReadSeesTheRemovalBeforeIt() async throws {
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

    @Test func handlersOfAddRunInTheOrderOfTheCalls() async {
        let test = TestCenter()
        let (order, continuation) = AsyncStream.makeStream(of: String.self)
        await test.service.fail(NotificationError(.storeLocked, "Locked."))
        let bad = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
        for index in 0..<200 {
            // Some fail in the service, some before it, some not at all.
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
        #expect(await test.service.requests.count == 132)
    }

    @Test func aHandlerMayBlock() async throws {
        let test = TestCenter()
        let isOpen = DispatchSemaphore(value: 0)
        test.center.getPendingNotificationRequests { _ in isOpen.wait() }
        // Calls of tasks do not stand behind it.
        try await test.center.add(TestCenter.request())
        #expect(await test.center.pendingNotificationRequests().count == 1)
        isOpen.signal()
    }

    @Test func categoriesAndDeliveredNotificationsGoBothWays() async throws {
        let test = TestCenter()
        let category = UNNotificationCategory(
            identifier: "b", actions: [UNNotificationAction(identifier: "x", title: "X")],
            intentIdentifiers: [])
        let other = UNNotificationCategory(
            identifier: "a", actions: [], intentIdentifiers: [])
        test.center.setNotificationCategories([category, other])
        #expect(await test.center.notificationCategories() == [category, other])
        #expect(await test.service.calls.contains(.setCategories(["a", "b"])))
        await test.service.set([TestCenter.delivered("two"), TestCenter.delivered("one")])
        #expect(
            await test.center.deliveredNotifications().map(\.request.identifier) == ["two", "one"])
        test.center.removeDeliveredNotifications(withIdentifiers: ["one"])
        test.center.removeAllDeliveredNotifications()
        _ = await test.service.calls(with: .removeDelivered(.all))
        #expect(await test.service.calls.contains(.removeDelivered(.identifiers(["one"]))))
    }

    @Test func aRequestReachesTheServiceAsItWasMade() async throws {
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
            await test.service.requests == [
                NotificationRequest(
                    identifier: "r", content: expected,
                    trigger: .interval(seconds: 5, repeats: false))
            ])
        let pending = await test.center.pendingNotificationRequests()
        #expect(pending.first?.content.userInfo["order"] as? Int == 42)
        #expect(pending.first?.trigger is UNTimeIntervalNotificationTrigger)
    }

    @Test func theIdentifierSetInCodeCounts() async throws {
        let test = TestCenter()
        test.center.applicationIdentifier = "org.example.Own"
        try await test.center.add(TestCenter.request())
        #expect(await test.service.identities.last?.id.rawValue == "org.example.Own")
        #expect(test.center.applicationIdentifier == "org.example.Own")
        test.center.applicationIdentifier = "a/b"
        let error = await #expect(throws: UNServiceError.self) {
            try await test.center.add(TestCenter.request())
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func callsOfOneOutageShareItsFailure() async throws {
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
        #expect(await service.requests.map(\.identifier) == ["again"])
    }

    @Test func aServiceThatReplacesALostOneIsConnectedTo() async throws {
        let first = ScriptedService()
        let second = ScriptedService()
        let center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "Test") },
                service: { await first.requests.isEmpty ? first : second }))
        try await center.add(TestCenter.request("a"))
        try await center.add(TestCenter.request("b"))
        #expect(await first.calls == [.connect(.tocsin, asks: false), .add("a")])
        #expect(await second.calls == [.connect(.tocsin, asks: false), .add("b")])
    }

    @Test func aCenterThatGoesAwayEndsItsSession() async throws {
        let service: ScriptedService
        do {
            let test = TestCenter()
            service = test.service
            try await test.center.add(TestCenter.request())
        }
        #expect(await service.calls(with: .disconnect).last == .disconnect)
    }

    @Test func nextTriggerDateIsNowPlusTheIntervalAtEachCall() throws {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false)
        let before = Date()
        let date = try #require(trigger.nextTriggerDate())
        // The model counts microseconds.
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
