import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("When a service extension changes a pushed notification")
struct ExtensionStateTests {
    let now = ClockReading.sample()
    let app = ApplicationID.tocsin

    func later(_ seconds: Double) -> ClockReading {
        var later = now
        later.boot += Int64(seconds * 1_000_000)
        return later
    }

    /// Returns a state that has a server, and the session of an app.
    ///
    /// `extends` says whether the session has a service extension.
    func busy(extends: Bool = true) -> (EngineState, ServiceSession) {
        var state = EngineState(schedule: .sample)
        _ = state.presenterBecameAvailable(now: now)
        state.head = ScheduleHead(wall: now.wall)
        let session = state.connect(.sample(), asksBeforePresenting: false)
        state.responses.change(session) { $0.extendsPushes = extends }
        return (state, session)
    }

    func row(_ number: Int64, isMutable: Bool = true) -> ClaimedRequest {
        ClaimedRequest(
            row: number, app: app, request: .sample("r\(number)", .push), payload: Data(),
            isMutable: isMutable, due: DueTime(wall: now.wall))
    }

    func changed(_ row: ClaimedRequest) -> ClaimedRequest {
        var changed = row
        changed.request.content.title = "changed"
        return changed
    }

    @Test
    func `a push without mutable-content is shown unchanged, even if the app has an extension`() {
        var (state, _) = busy()
        let effects = state.rowsClaimed([row(1, isMutable: false)], now: now)
        #expect(effects.extended.isEmpty)
        #expect(effects.presented.map(\.notification.request.content.title) == ["r1"])
    }

    @Test
    func `the extension's content is stored, and then shown in place of the original`() {
        var (state, session) = busy()
        let begun = state.rowsClaimed([row(1)], now: now)
        #expect(begun.extended.map(\.session) == [session])
        #expect(begun.presented.isEmpty)
        #expect(begun.alarms.last?.boot == now.boot + 30_000_000)
        let token = begun.extended[0].token
        #expect(state.extensionAnswered(token, of: app) == true)
        #expect(state.extensionAnswered(token, of: app) == false, "only the first answer is used")
        let revise = state.contentExtended(token, to: changed(row(1)))
        #expect(revise == [.revise(token, changed(row(1)))])
        let shown = state.rowRevised(token, changed(row(1)), isThere: true, now: now)
        #expect(shown.presented.map(\.notification.request.content.title) == ["changed"])
        #expect(
            state.rowRevised(token, row(1), isThere: true, now: now).isEmpty,
            "a second report of the stored row shows nothing more")
    }

    /// An extension works for up to 30 s, and the user may turn the app off in this time.
    @Test func `a push whose app is denied during its extension's work is not shown`() {
        var (state, _) = busy()
        let token = state.rowsClaimed([row(1)], now: now).extended[0].token
        _ = state.extensionAnswered(token, of: app)
        _ = state.contentExtended(token, to: changed(row(1)))
        state.change(app) { $0.permission.recordStored(Permission(.denied, options: .all)) }
        let effects = state.rowRevised(token, changed(row(1)), isThere: true, now: now)
        #expect(effects.presented.isEmpty)
        #expect(effects.settled.map(\.isDenial) == [true])
    }

    /// With `.badge` alone the notification is not presented, and only its badge would be set.
    @Test(arguments: [PresentationOptions.all, .badge])
    func `a request whose app is denied during the app's decision is not shown`(
        options: PresentationOptions
    ) {
        var (state, _) = busy(extends: false)
        _ = state.connect(.sample(), asksBeforePresenting: true)
        var request = row(1, isMutable: false)
        request.request.content.badge = 3
        let token = state.rowsClaimed([request], now: now).asked[0].token
        state.change(app) { $0.permission.recordStored(Permission(.denied, options: .all)) }
        let effects = state.appDecided(token, with: options)
        #expect(effects.presented.isEmpty)
        #expect(!effects.contains { if case .badge = $0 { true } else { false } })
        #expect(effects.settled.map(\.isDenial) == [true])
    }

    /// The store may report the extension's result after it reported the removal.
    @Test func `a request that is removed while its new content is being stored is not shown`() {
        var (state, _) = busy()
        let token = state.rowsClaimed([row(1)], now: now).extended[0].token
        _ = state.extensionAnswered(token, of: app)
        _ = state.contentExtended(token, to: changed(row(1)))
        _ = state.rowsWithdrawn([1])
        let effects = state.rowRevised(token, changed(row(1)), isThere: true, now: now)
        #expect(effects.presented.isEmpty)
        #expect(effects.settled == [.requeued])
    }

    @Test
    func `when the extension has answered, the app is asked about the new content`() {
        var (state, session) = busy()
        state.responses.change(session) { $0.asksBeforePresenting = true }
        let token = state.rowsClaimed([row(1)], now: now).extended[0].token
        #expect(state.extensionAnswered(token, of: app) == true)
        _ = state.contentExtended(token, to: changed(row(1)))
        let effects = state.rowRevised(token, changed(row(1)), isThere: true, now: now)
        #expect(effects.asked.map(\.session) == [session])
        guard case .send(_, .willPresent(_, let notification))? = effects.first else {
            Issue.record("the app is not asked")
            return
        }
        #expect(notification.request.content.title == "changed")
    }

    @Test
    func `the extension has 30 seconds, and 2 more after a warning, before the original is shown`()
    {
        var (state, session) = busy()
        let token = state.rowsClaimed([row(1), row(2)], now: now).extended[0].token
        #expect(state.clockRang(now: later(29.9)).expired.isEmpty)
        let effects = state.clockRang(now: later(30))
        #expect(effects.expired.map(\.session) == [session, session])
        #expect(effects.presented.isEmpty)
        #expect(effects.alarms.last?.boot == now.boot + 32_000_000)
        #expect(
            state.clockRang(now: later(31)).expired.isEmpty,
            "the app was warned at 30 s, and is warned only once")
        #expect(
            state.extensionAnswered(token, of: app) == true,
            "an answer is accepted until 32 s have passed")
        _ = state.contentExtended(token, to: changed(row(1)))
        _ = state.rowRevised(token, changed(row(1)), isThere: true, now: later(31))
        let over = state.clockRang(now: later(32))
        #expect(over.revised.map(\.request.content.title) == ["r2"])
    }

    @Test func `a suspend does not shorten the time that an extension has`() {
        var (state, session) = busy()
        _ = state.rowsClaimed([row(1)], now: now)
        var awake = later(3_610)
        awake.suspended = 3_600_000_000
        let early = state.clockRang(now: awake)
        #expect(early.expired.isEmpty)
        #expect(early.alarms.last?.boot == now.boot + 3_630_000_000)
        let over = state.clockRang(now: awake.adding(microseconds: 20_000_000))
        #expect(over.expired.map(\.session) == [session])
    }

    @Test
    func `a running extension delays no other request`() {
        var (state, _) = busy()
        let rows = (1...63).map { row($0) } + [row(64, isMutable: false)]
        let effects = state.rowsClaimed(rows, now: now)
        #expect(effects.presented.map(\.notification.request.identifier) == ["r64"])
        #expect(effects.claims == [63], "a delivery that waits for an extension takes no room")
    }

    @Test
    func `an answer of another app, for an unknown token, or after the deadline changes nothing`()
        throws
    {
        var (state, _) = busy()
        let token = state.rowsClaimed([row(1)], now: now).extended[0].token
        #expect(state.extensionAnswered(token, of: try ApplicationID("org.example.Other")) == false)
        #expect(state.extensionAnswered(ExtensionToken(rawValue: 99), of: app) == false)
        _ = state.clockRang(now: later(30))
        _ = state.clockRang(now: later(32))
        #expect(state.extensionAnswered(token, of: app) == false)
    }

    @Test
    func `if a session ends before its extension answers, the original content is shown`() {
        var (state, session) = busy()
        _ = state.rowsClaimed([row(1)], now: now)
        let effects = state.disconnect(session, now: now)
        #expect(effects.revised.map(\.request.content.title) == ["r1"])
        #expect(!effects.contains { if case .endExtension = $0 { true } else { false } })
    }

    @Test
    func `without a session, each push starts a program, at most four per app at a time`()
        throws
    {
        var (state, _) = busy(extends: false)
        var other = row(7)
        other.app = try ApplicationID("org.example.Other")
        let begun = state.rowsClaimed((1...6).map { row($0) } + [other], now: now).extended
        #expect(
            begun.map(\.session) == [nil, nil, nil, nil, nil],
            "four programs of one app, and one of the other app")
        #expect(state.extensionAnswered(begun[0].token, of: app) == true)
        _ = state.contentExtended(begun[0].token, to: nil)
        let next = state.rowRevised(begun[0].token, row(1), isThere: true, now: now)
        #expect(next.extended.map(\.session) == [nil])
        #expect(next.presented.count == 1)
        let over = state.clockRang(now: later(30)) + state.clockRang(now: later(32))
        #expect(over.ended.count == 5, "all five running programs are ended")
    }

    @Test
    func `a push that is removed while its program works is not shown, and the program is ended`() {
        var (state, _) = busy(extends: false)
        let token = state.rowsClaimed([row(1), row(2)], now: now).extended[1].token
        let effects = state.rowsWithdrawn([1])
        #expect(effects.settled == [.requeued])
        #expect(effects.ended.count == 1)
        #expect(state.extensionAnswered(token, of: app) == true)
        let late = state.rowRevised(token, changed(row(2)), isThere: false, now: now)
        #expect(late.presented.isEmpty && late.settled == [.requeued])
    }

    @Test
    func `an extension runs only if the app may show texts`() {
        var (state, _) = busy()
        state.change(app) {
            $0.permission.recordStored(Permission(.authorized, options: [.sound, .badge]))
        }
        #expect(state.rowsClaimed([row(1)], now: now).extended.isEmpty)
        state.change(app) { $0.permission.recordStored(Permission(.provisional, options: [])) }
        #expect(state.rowsClaimed([row(2)], now: now).extended.count == 1)
        state.change(app) { $0.permission.recordStored(Permission(.authorized, options: .all)) }
        #expect(state.rowsClaimed([row(3)], now: now).extended.count == 1)
    }

    @Test
    func `a stopping engine does not show a push, and requeues its row`() {
        var (state, _) = busy(extends: false)
        let tokens = state.rowsClaimed([row(1), row(2)], now: now).extended.map(\.token)
        #expect(state.extensionAnswered(tokens[0], of: app) == true)
        #expect(state.stop().settled == [.requeued])
        let late = state.rowRevised(tokens[0], changed(row(1)), isThere: true, now: now)
        #expect(late.presented.isEmpty && late.settled == [.requeued])
    }
}

extension Settlement.Outcome {
    fileprivate var isDenial: Bool {
        if case .failed(.denied, _) = self { true } else { false }
    }
}

extension [EngineEffect] {
    var extended: [(session: ServiceSession?, token: ExtensionToken)] {
        compactMap { effect -> (session: ServiceSession?, token: ExtensionToken)? in
            switch effect {
            case .send(let session, .extend(let token, _, _)): return (session, token)
            case .extend(let token, _, _): return (nil, token)
            default: return nil
            }
        }
    }

    var expired: [(session: ServiceSession?, token: ExtensionToken)] {
        compactMap { effect -> (session: ServiceSession?, token: ExtensionToken)? in
            switch effect {
            case .send(let session, .extensionWillExpire(let token)): return (session, token)
            case .expireExtension(let token): return (nil, token)
            default: return nil
            }
        }
    }

    var ended: [ExtensionToken] {
        compactMap {
            guard case .endExtension(let token) = $0 else { return nil }
            return token
        }
    }

    var revised: [ClaimedRequest] {
        compactMap {
            guard case .revise(_, let claimed) = $0 else { return nil }
            return claimed
        }
    }
}
