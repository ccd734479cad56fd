import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeliveryTests {
    @Test(arguments: Hosting.allCases)
    func `a request without a trigger is shown at once and listed as delivered`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.center.add("now", title: "Now")
            let post = try await harness.post(1)
            #expect(post.summary == "Now")
            #expect(post.appName == "Test App")
            #expect(post.actions.last?.key == "default")
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.map(\.request.identifier) == ["now"]
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request with an interval is shown once and not early`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let start = ContinuousClock.now
            try await harness.center.add("one", trigger: .interval(seconds: 0.5, repeats: false))
            #expect(try await harness.post(1).summary == "one")
            #expect(ContinuousClock.now - start >= .milliseconds(500))
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.count == 1
            }
            #expect(harness.server.calls.all.count == 1)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `missed requests are shown oldest first`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            await harness.server.stop()
            let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
            for (title, secondsAgo) in [("newest", 1), ("oldest", 3), ("middle", 2)] {
                let date = Instant(microseconds: now - Int64(secondsAgo) * 1_000_000)
                try await harness.center.add(title, trigger: .at(date))
            }
            let pending = try await harness.service.pending(of: harness.app)
            #expect(pending.map(\.request.identifier) == ["oldest", "middle", "newest"])
            try await harness.server.start()
            _ = try await harness.post(3)
            #expect(harness.server.calls.all.map(\.summary) == ["oldest", "middle", "newest"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request replaces the pending request with the same identifier`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add(
                "one", title: "old", trigger: .interval(seconds: 3_600, repeats: false))
            try await harness.center.add(
                "one", title: "new", trigger: .interval(seconds: 0.1, repeats: false))
            #expect(try await harness.post(1).summary == "new")
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.count == 1
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request replaces the popup of the delivered notification with its identifier`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("one", title: "old")
            let first = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.center.add("one", title: "new")
            #expect(try await harness.post(2).replacesID == first.id)
            try await harness.center.settled { _, delivered in
                delivered.map(\.request.content.title) == ["new"]
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a removed request never fires`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            // Without a server the due request waits, so the removal cannot come too late.
            await harness.server.stop()
            try await harness.center.add("gone")
            try await harness.center.add("kept")
            try await harness.service.removePending(.identifiers(["gone"]), of: harness.app)
            try await harness.server.start()
            #expect(try await harness.post(1).summary == "kept")
            try await harness.center.settled { pending, _ in pending.isEmpty }
            #expect(harness.server.calls.all.count == 1)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `removing a delivered notification closes its popup`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("one")
            let post = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.service.removeDelivered(.all, of: harness.app)
            try await harness.server.closings.wait(for: "the close") { $0 == [post.id] }
            #expect(try await harness.service.delivered(of: nil).isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a due request waits until a notification server appears`(_ hosting: Hosting) async throws
    {
        try await ServiceHarness.run(hosting) { harness in
            await harness.server.stop()
            try await harness.center.add("held")
            try await harness.center.add("held too")
            #expect(try await harness.service.pending(of: nil).count == 2)
            try await harness.server.start()
            #expect(try await harness.post(1).summary == "held")
            #expect(try await harness.post(2).summary == "held too")
            try await harness.center.settled { pending, _ in pending.isEmpty }
            #expect(harness.server.calls.all.count == 2)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `after the server restarts, a new popup does not replace an old popup`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("one")
            _ = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.server.restart()
            try await harness.center.add("one", title: "again")
            #expect(try await harness.post(2).replacesID == 0)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a request with an impossible trigger is refused with a reason and not stored`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            for trigger in [
                NotificationTrigger.interval(seconds: 0, repeats: false),
                .interval(seconds: .nan, repeats: false), .interval(seconds: 5, repeats: true),
            ] {
                let error = await #expect(throws: NotificationError.self) {
                    try await harness.center.add("bad", trigger: trigger)
                }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains("interval") == true)
            }
            var impossible = CalendarComponents()
            impossible.month = 2
            impossible.day = 30
            let error = await #expect(throws: NotificationError.self) {
                try await harness.center.add("bad", trigger: .calendar(impossible, repeats: true))
            }
            #expect(error?.code == .noDate)
            let pending = try await harness.service.pending(of: nil)
            #expect(pending.isEmpty)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `each of thousands of requests that are added at once is shown once`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            // These are more requests than the daemon accepts at a time.
            let count = 4_500
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { try await harness.center.add("n\(number)") }
                }
                try await group.waitForAll()
            }
            let calls = try await harness.server.calls.wait(for: "all of them") {
                $0.count >= count
            }
            #expect(Set(calls.map(\.summary)).count == count)
            #expect(calls.count == count)
        }
    }
}
