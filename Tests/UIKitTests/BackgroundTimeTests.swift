import Dispatch
import Reactor
import TestSupport
import Testing
import UIKit

/// Background tasks with a scripted logind.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct BackgroundTimeTests {
    private static func inhibitor(_ why: String) -> Inhibitor {
        Inhibitor(what: "sleep:shutdown", who: "test-app", why: why, mode: "delay")
    }

    @Test func `a task delays sleep and shutdown until it ends`() async throws {
        let test = try TestApplication()
        let logind = try await ScriptedLogind.start(on: test.system)
        let first = test.application.beginBackgroundTask(withName: "Saving")
        try await logind.inhibitors.first(1)
        let second = test.application.beginBackgroundTask()
        #expect(first != .invalid && second != .invalid && first != second)
        let taken = [Self.inhibitor("Saving"), Self.inhibitor("Background task")]
        #expect(try await logind.inhibitors.first(2) == taken)
        // This call must end the delay of the second task, and not the older delay.
        test.application.endBackgroundTask(second)
        #expect(try await logind.releases.first(1) == [taken[1]])
        test.application.endBackgroundTask(first)
        #expect(try await logind.releases.first(2) == taken.reversed())
        test.application.endBackgroundTask(first)
        test.application.endBackgroundTask(.invalid)
        await logind.stop()
    }

    /// Starts logind and an app; returns when the app has begun to subscribe to logind's signals.
    private static func start() async throws -> (TestApplication, ScriptedLogind) {
        let test = try TestApplication()
        let logind = try await ScriptedLogind.start(on: test.system)
        // An app that knows of the lock has begun to subscribe to logind's signals. It asks for a
        // delay only after it has subscribed.
        try await logind.lock()
        test.launch()
        try await test.delegate.heard.first("the lock") { $0.hasPrefix("didEnterBackground") }
        return (test, logind)
    }

    /// Returns the number of released delays after a round trip over the bus.
    ///
    /// Before the round trip ends, logind notices each delay that ended before this call.
    private static func releaseCount(of logind: ScriptedLogind, on bus: PrivateBus) -> Int {
        let roundTripEnded = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await bus.untilReceived() } catch { Issue.record(error) }
            roundTripEnded.signal()
        }
        roundTripEnded.wait()
        return logind.releases.all.count
    }

    @Test(arguments: [true, false])
    func `a sleep or shutdown calls the handler and then ends the delay`(
        isSleep: Bool
    )
        async throws
    {
        let (test, logind) = try await Self.start()
        let expired = Recording<Int>()
        let id = test.application.beginBackgroundTask { [bus = test.system] in
            expired.append(Self.releaseCount(of: logind, on: bus))
        }
        try await logind.inhibitors.first(1)
        if isSleep {
            try await logind.prepareForSleep()
        } else {
            try await logind.prepareForShutdown()
        }
        #expect(try await expired.first(1) == [0], "the handler runs before the delay ends")
        try await logind.releases.first(1)
        test.application.endBackgroundTask(id)
        try await logind.prepareForSleep(false)
        #expect(expired.all.count == 1)
        await logind.stop()
    }

    /// The machine must not sleep while the handler still stores the app's data.
    @Test func `a delay that logind grants during the handler lasts until the handler returns`()
        async throws
    {
        let (test, logind) = try await Self.start()
        let handlerBegan = Promise<Void>()
        await logind.runBeforeNextGrant { await handlerBegan.value() }
        let counts = Recording<Int>()
        _ = test.application.beginBackgroundTask { [bus = test.system] in
            handlerBegan.fulfill(())
            counts.append(Self.releaseCount(of: logind, on: bus))
        }
        try await logind.inhibitors.first(1)
        try await logind.prepareForSleep()
        #expect(try await counts.first(1) == [0])
        try await logind.releases.first(1)
        await logind.stop()
    }

    @Test func `a task in the background ends after 30 seconds, even without logind`()
        async throws
    {
        let test = try TestApplication(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
        test.launch()
        let expired = Recording<String>()
        _ = test.application.beginBackgroundTask { expired.append("first") }
        #expect(test.application.backgroundTimeRemaining == .greatestFiniteMagnitude)
        #expect(test.timers.all.isEmpty)
        test.application.windowState = .background
        #expect(test.application.backgroundTimeRemaining == 30)
        let timer = try await test.timers.first(1)[0]
        #expect(timer.wait == .seconds(30))
        test.clock.advance(.seconds(12))
        #expect(test.application.backgroundTimeRemaining == 18)
        test.clock.advance(.seconds(18))
        timer.work()
        try await expired.first(1)
        #expect(test.ends.all.isEmpty)
        test.application.windowState = .active
        #expect(test.application.backgroundTimeRemaining == .greatestFiniteMagnitude)
    }

    @Test func `an app that is asked to end waits for its tasks`() async throws {
        let test = try TestApplication()
        test.launch()
        let id = test.application.beginBackgroundTask()
        test.application.requestTermination()
        #expect(test.delegate.heard.all.last == "didEnterBackground background")
        #expect(test.application.backgroundTimeRemaining == 5)
        #expect(test.ends.all.isEmpty)
        test.application.endBackgroundTask(id)
        try await test.ends.first(1)
        #expect(test.delegate.heard.all.last == "willTerminate background")
    }

    // Many apps save their data in a task that they begin as they leave the front.
    @Test func `an app that is asked to end waits for a task that it begins as it resigns`()
        async throws
    {
        let test = try TestApplication()
        test.launch()
        let begun = Recording<UIBackgroundTaskIdentifier>()
        test.delegate.onResign = { [unowned test] in
            begun.append(test.application.beginBackgroundTask())
        }
        test.application.requestTermination()
        #expect(test.ends.all.isEmpty)
        #expect(test.application.backgroundTimeRemaining == 5)
        test.application.endBackgroundTask(try await begun.first(1)[0])
        try await test.ends.first(1)
    }

    @Test func `an app that is asked to end waits for a task that begins when another task ends`()
        async throws
    {
        let test = try TestApplication()
        test.launch()
        let first = test.application.beginBackgroundTask()
        test.application.requestTermination()
        test.application.endBackgroundTask(first)
        let second = test.application.beginBackgroundTask()
        // The end of the first task arrives on the main queue.
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        #expect(test.ends.all.isEmpty)
        test.application.endBackgroundTask(second)
        try await test.ends.first(1)
    }

    @Test func `an app that is asked to end waits at most 5 seconds`() async throws {
        let test = try TestApplication()
        test.launch()
        let expired = Recording<String>()
        _ = test.application.beginBackgroundTask { expired.append("expired") }
        test.application.requestTermination()
        let timer = try await test.timers.wait(for: "5 seconds") { $0.last?.wait == .seconds(5) }
        test.clock.advance(.seconds(5))
        timer.last?.work()
        #expect(try await test.ends.first(1) == [0])
        #expect(expired.all == ["expired"])
    }

    /// Apps show an alert that sends the user to the settings if the status is `.denied`.
    @Test func `an app may refresh its content in the background`() throws {
        let test = try TestApplication()
        test.launch()
        test.application.windowState = .background
        #expect(test.application.backgroundRefreshStatus == .available)
        let statuses = [UIBackgroundRefreshStatus.restricted, .denied, .available]
        #expect(statuses.map(\.rawValue) == [0, 1, 2])
        #expect(
            UIApplication.backgroundRefreshStatusDidChangeNotification.rawValue
                == "UIApplicationBackgroundRefreshStatusDidChangeNotification")
    }

    @Test func `a task may begin and end on any thread`() async throws {
        let test = try TestApplication()
        let application = test.application
        let logind = try await ScriptedLogind.start(on: test.system)
        await Task.detached {
            let id = application.beginBackgroundTask(withName: "detached")
            application.endBackgroundTask(id)
        }.value
        // logind granted the delay, and the end of the task released it.
        try await logind.releases.first(1)
        await logind.stop()
    }
}
