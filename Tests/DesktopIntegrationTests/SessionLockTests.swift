import DesktopBus
import DesktopIntegration
import Dispatch
import Glibc
import NotificationModel
import Reactor
import TestSupport
import Testing

/// Screen savers on the session bus and logind on the system bus, both played on private buses.
@Suite(.timeLimit(.minutes(2))) struct SessionLockTests {
    private let session: PrivateBus
    private let system: PrivateBus
    private let told = Recording<LockStatus>()

    init() throws {
        session = try PrivateBus()
        system = try PrivateBus()
    }

    /// Returns a reader and its first status.
    ///
    /// Both connections share one reactor, as in a daemon.
    private func follow(
        _ variables: [String: String] = [:], hasSystemBus: Bool = true,
        timeout: Duration = .seconds(60)
    ) async throws -> (lock: SessionLock, first: LockStatus) {
        let connection = try await BusConnection.open(on: session, name: "lock")
        let other = BusConnection(
            address: system.address, reactor: connection.reactor,
            options: .init { $0.openTimeout = .seconds(60) })
        if hasSystemBus { try await other.open() }
        let lock = SessionLock(
            sessionBus: connection, environment: variables, userID: geteuid(),
            timeout: timeout
        ) { hasSystemBus ? other : nil }
        let first = await lock.follow { [told] in told.append($0) }
        return (lock, first)
    }

    private func wait(for isLocked: Bool, by sources: [String]) async throws {
        let status = LockStatus(isLocked: isLocked, sources: sources)
        try await told.wait(for: "\(status)") { $0.last == status }
    }

    @Test func `without a lock source the session is unlocked`() async throws {
        let (lock, first) = try await follow(hasSystemBus: false)
        #expect(first == LockStatus())
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: Desktops.lockers.map(\.bus))
    func `the signals of each screen saver are read`(name: String) async throws {
        let locker = try await ScriptedLocker.start(on: session, as: try BusName(name))
        let (lock, first) = try await follow(hasSystemBus: false)
        #expect(first == LockStatus(isLocked: false, sources: [name]))
        for isLocked in [true, false, true] {
            try await locker.lock(isLocked)
            try await wait(for: isLocked, by: [name])
        }
        // A locker that leaves the bus, perhaps with its session, does not unlock the session.
        await locker.stop()
        let next = try await ScriptedLocker.start(on: session, as: try BusName(name))
        try await wait(for: false, by: [name])
        #expect(told.all.map(\.isLocked) == [true, false, true, false])
        await next.stop()
        try await wait(for: false, by: [])
        withExtendedLifetime(lock) {}
    }

    @Test func `an active screen saver locks the session, even if it joins the bus later`()
        async throws
    {
        let early = try await ScriptedLocker.start(
            on: session, as: "org.mate.ScreenSaver", isActive: true)
        let (lock, first) = try await follow(hasSystemBus: false)
        #expect(first == LockStatus(isLocked: true, sources: ["org.mate.ScreenSaver"]))
        let late = try await ScriptedLocker.start(on: session, isActive: true)
        let both = ["org.freedesktop.ScreenSaver", "org.mate.ScreenSaver"]
        try await wait(for: true, by: both)
        try await early.lock(false)
        try await late.lock(false)
        try await wait(for: false, by: both)
        await early.stop()
        await late.stop()
        withExtendedLifetime(lock) {}
    }

    @Test func `a signal of another program does not unlock the session`() async throws {
        let locker = try await ScriptedLocker.start(on: session, isActive: true)
        let (lock, _) = try await follow(hasSystemBus: false)
        let stranger = try await BusConnection.open(on: session, name: "stranger")
        try await stranger.emit(
            path: "/org/freedesktop/ScreenSaver", interface: "org.freedesktop.ScreenSaver",
            member: "ActiveChanged", arguments: [.bool(false)])
        await stranger.flush()
        let late = try await ScriptedLocker.start(on: session, as: "org.xfce.ScreenSaver")
        try await wait(for: true, by: ["org.freedesktop.ScreenSaver", "org.xfce.ScreenSaver"])
        #expect(!told.all.contains { !$0.isLocked })
        await stranger.close()
        await locker.stop()
        await late.stop()
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock source that does not answer delays nothing, and its later answer is used`()
        async throws
    {
        let locker = try await ScriptedLocker.start(on: session, isActive: true, isMute: true)
        let (lock, first) = try await follow(
            hasSystemBus: false, timeout: .milliseconds(1))
        #expect(first == LockStatus(isDecided: false))
        await locker.release()
        try await wait(for: true, by: ["org.freedesktop.ScreenSaver"])
        await locker.stop()
        withExtendedLifetime(lock) {}
    }

    /// A connection that has used up the match rules of its bus.
    private struct FullConnection {
        let bus: PrivateBus
        let connection: BusConnection
        let others: [BusSubscription]

        init() async throws {
            let count = 64
            bus = try PrivateBus(limits: ["max_match_rules_per_connection": count])
            connection = try await BusConnection.open(on: bus, name: "lock")
            var others: [BusSubscription] = []
            for number in 0..<count {
                let rule = MatchRule(member: try MemberName("M\(number)"))
                others.append(try await connection.subscribe(rule) { _ in })
            }
            self.others = others
        }
    }

    // Without another attempt, the lock of such a source stays unknown.
    @Test func `a screen saver whose signals the bus refuses at first is followed later`()
        async throws
    {
        let full = try await FullConnection()
        let locker = try await ScriptedLocker.start(on: full.bus, isActive: true)
        let lock = SessionLock(
            sessionBus: full.connection, environment: [:], userID: geteuid(),
            timeout: .seconds(60), retry: Backoff(first: .milliseconds(1))
        ) { nil }
        let first = await lock.follow { [told] in told.append($0) }
        #expect(first == LockStatus())
        for other in full.others { other.cancel() }
        try await wait(for: true, by: ["org.freedesktop.ScreenSaver"])
        await locker.stop()
        withExtendedLifetime(lock) {}
    }

    // MARK: logind

    @Test func `a session whose signals the bus refuses at first is followed later`() async throws {
        let full = try await FullConnection()
        let logind = try await ScriptedLogind.start(on: full.bus)
        try await logind.lock()
        let lock = SessionLock(
            sessionBus: full.connection, environment: [:], userID: geteuid(),
            timeout: .seconds(60), retry: Backoff(first: .milliseconds(1))
        ) { [system = full.connection] in system }
        let first = await lock.follow { [told] in told.append($0) }
        #expect(first == LockStatus())
        for other in full.others { other.cancel() }
        try await wait(for: true, by: Self.logind)
        try await logind.lock(false)
        try await wait(for: false, by: Self.logind)
        await logind.stop()
        withExtendedLifetime(lock) {}
    }

    private static let logind = ["org.freedesktop.login1"]

    @Test(arguments: [true, false])
    func `a process in a session reads the lock state of that session`(
        tellsValue: Bool
    ) async throws {
        let logind = try await ScriptedLogind.start(
            on: system, sessions: ["2", "7"], display: "2")
        let (lock, first) = try await follow(["XDG_SESSION_ID": "7"])
        #expect(first == LockStatus(isLocked: false, sources: Self.logind))
        for isLocked in [true, false] { try await logind.lock(isLocked, session: "2") }
        for isLocked in [true, false] {
            try await logind.lock(isLocked, session: "7", tellsValue: tellsValue)
            try await wait(for: isLocked, by: Self.logind)
        }
        #expect(told.all.map(\.isLocked) == [true, false])
        await logind.stop()
        try await wait(for: false, by: [])
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: ["", "99"])
    func `a daemon outside a session follows the lock state of the graphical session`(
        id: String
    ) async throws {
        let logind = try await ScriptedLogind.start(
            on: system, sessions: ["2", "7"], display: "2")
        try await logind.lock(session: "2")
        let (lock, first) = try await follow(["XDG_SESSION_ID": id])
        #expect(first == LockStatus(isLocked: true, sources: Self.logind))
        try await logind.show("7")
        try await wait(for: false, by: Self.logind)
        try await logind.lock(session: "7")
        try await wait(for: true, by: Self.logind)
        // The locked session ends, and another session follows.
        try await logind.show(nil)
        try await logind.lock(false, session: "2")
        try await logind.show("2")
        try await wait(for: false, by: Self.logind)
        #expect(told.all.map(\.isLocked) == [false, true, false])
        await logind.stop()
        withExtendedLifetime(lock) {}
    }

    /// A display server may crash while it is locked by a locker that logind does not know.
    ///
    /// The user then logs in again, perhaps to a desktop that has no locker on the bus.
    @Test func `the next login session ends the lock of a locker that left the bus`() async throws {
        let logind = try await ScriptedLogind.start(
            on: system, sessions: ["2", "7"], display: "2")
        let locker = try await ScriptedLocker.start(
            on: session, as: "org.mate.ScreenSaver", isActive: true)
        let (lock, first) = try await follow()
        let both = Self.logind + ["org.mate.ScreenSaver"]
        #expect(first == LockStatus(isLocked: true, sources: both))
        await locker.stop()
        // A reader that knows the later locker also knows that the first locker has left.
        let late = try await ScriptedLocker.start(on: session, as: "org.xfce.ScreenSaver")
        try await wait(for: true, by: both + ["org.xfce.ScreenSaver"])
        try await logind.show(nil)
        try await logind.show("7")
        try await wait(for: false, by: Self.logind + ["org.xfce.ScreenSaver"])
        #expect(!told.all.dropLast().contains { !$0.isLocked })
        await logind.stop()
        await late.stop()
        withExtendedLifetime(lock) {}
    }

    /// If the older answer replaced the newer hint, a locked session would count as unlocked.
    @Test func `an older answer of logind does not replace the lock hint of a newer signal`()
        async throws
    {
        let logind = try await ScriptedLogind.start(on: system)
        let (lock, _) = try await follow()
        let (isHeld, mayGoOn) = (Recording<Bool>(), DispatchSemaphore(value: 0))
        // The reader's thread waits until both messages are there, so it takes them together.
        await logind.runBeforeNextHint {
            lock.reactor.perform {
                isHeld.append(true)
                mayGoOn.wait()
            }
            _ = try? await isHeld.first(1)
        }
        try await logind.lock(false, tellsValue: false)
        _ = try await isHeld.first(1)
        let other = try await BusConnection.open(on: system, name: "other")
        let question = MethodCall(
            reading: "LockedHint", of: "org.freedesktop.login1.Session",
            destination: "org.freedesktop.login1", path: "/org/freedesktop/login1/session/_2")
        // With each answer, the bus has also passed on the messages that logind sent before it.
        _ = try await other.call(question)
        try await logind.lock()
        _ = try await other.call(question)
        mayGoOn.signal()
        let late = try await ScriptedLocker.start(on: session, as: "org.xfce.ScreenSaver")
        try await wait(for: true, by: Self.logind + ["org.xfce.ScreenSaver"])
        #expect(!told.all.contains { !$0.isLocked })
        await other.close()
        await logind.stop()
        await late.stop()
        withExtendedLifetime(lock) {}
    }

    @Test func `a session is locked while logind or a screen saver locks it`() async throws {
        let logind = try await ScriptedLogind.start(on: system)
        let locker = try await ScriptedLocker.start(on: session)
        let (lock, first) = try await follow()
        let both = ["org.freedesktop.ScreenSaver"] + Self.logind
        #expect(first == LockStatus(isLocked: false, sources: both))
        try await logind.lock()
        try await wait(for: true, by: both)
        try await locker.lock()
        // The new locker joins the bus after the signal. A reader that knows this locker has
        // therefore got the signal.
        let late = try await ScriptedLocker.start(on: session, as: "org.xfce.ScreenSaver")
        let all = both + ["org.xfce.ScreenSaver"]
        try await wait(for: true, by: all)
        try await logind.lock(false)
        // The screen saver is still active.
        try await locker.lock(false)
        try await wait(for: false, by: all)
        #expect(told.all.map(\.isLocked) == [true, true, false])
        await logind.stop()
        await locker.stop()
        await late.stop()
        withExtendedLifetime(lock) {}
    }
}
