import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// A row is a stored request; a claim takes due rows from the store in order to show them.
@Suite("The engine's decisions")
struct EngineStateTests {
    let now = ClockReading.sample()
    let app = ApplicationID.tocsin

    /// Returns a state with a server and a due request.
    func busy() -> EngineState {
        var state = EngineState(schedule: .sample)
        _ = state.presenterBecameAvailable(now: now)
        state.head = ScheduleHead(wall: now.wall)
        return state
    }

    func row(_ number: Int64, _ app: ApplicationID = .tocsin) -> ClaimedRequest {
        ClaimedRequest(
            row: number, app: app, request: .sample("r\(number)"), payload: Data(),
            due: DueTime(wall: now.wall))
    }

    func rows(_ count: Int64, _ app: ApplicationID = .tocsin) -> [ClaimedRequest] {
        (1...count).map { row($0, app) }
    }

    func response(_ id: Int64) -> NotificationResponse {
        let notification = DeliveredNotification(
            app: app, request: .sample("r\(id)"), date: now.wall)
        return NotificationResponse(id: id, notification: notification, action: .standard)
    }

    @Test
    func `due rows are claimed in one claim at a time, and only as many as have room`() {
        var state = busy()
        let first = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        #expect(first.contains(.claim(limit: 64, excluding: [])))
        #expect(
            state.clockRang(now: now).claims.isEmpty,
            "the first claim has not ended yet, and only one claim runs at a time")
        #expect(state.rowsClaimed(rows(40), now: now).claims == [24])
        #expect(
            state.rowsClaimed(rows(24), now: now).claims.isEmpty,
            "64 deliveries are open, the most that `DeliveryQueue` allows")
    }

    @Test
    func `a claim for few rows waits while more rows are about to be marked as delivered`() {
        var state = busy()
        let tokens = state.rowsClaimed(rows(64), now: now).presented.map(\.token)
        for token in tokens.prefix(3) { _ = state.outcome(of: token, .unanswered, now: now) }
        #expect(
            state.rowsSettled([tokens[0]], now: now).claims.isEmpty,
            "the settlements of two more rows are still being stored")
        #expect(state.rowsSettled([tokens[1], tokens[2]], now: now).claims == [3])
    }

    @Test func `rows that the store is about to mark take no room from a claim`() {
        var state = busy()
        let tokens = state.rowsClaimed(rows(64), now: now).presented.map(\.token)
        for token in tokens.prefix(40) { _ = state.outcome(of: token, .unanswered, now: now) }
        #expect(state.marksHanded(Array(tokens.prefix(31)), now: now).claims.isEmpty)
        #expect(state.marksHanded(Array(tokens[31..<40]), now: now).claims == [40])
        // The marks reach the disk before the claim does.
        #expect(state.rowsSettled(Array(tokens.prefix(40)), now: now).claims.isEmpty)
        #expect(
            state.rowsClaimed(rows(40), now: now).claims.isEmpty,
            "64 deliveries are open, the most that `DeliveryQueue` allows")
    }

    @Test func `a row whose mark the store refused still takes one of the 64 places`() {
        var state = busy()
        let token = state.rowsClaimed(rows(1), now: now).presented[0].token
        let settle = state.outcome(of: token, .unanswered, now: now)
        _ = state.marksHanded([token], now: now)
        #expect(state.marking == [token])
        for effect in settle { _ = state.storeFailed(effect, now: now) }
        #expect(state.marking.isEmpty)
        _ = state.rowsClaimed([], now: now)
        let retried = state.clockRang(now: now.adding(microseconds: EngineState.retryInterval))
        #expect(retried.settled == [.delivered(nil)])
        #expect(retried.claims == [63])
    }

    /// After one more try nothing retries the change, so a wait for the change would never end.
    @Test func `a stopping engine does not wait for a change that the store refuses`() {
        var state = busy()
        let token = state.rowsClaimed(rows(1), now: now).presented[0].token
        _ = state.rowsClaimed([], now: now)
        let settle = state.outcome(of: token, .unanswered, now: now)
        for effect in settle { _ = state.storeFailed(effect, now: now) }
        let last = state.stop()
        #expect(last.settled == [.delivered(nil)], "the stop tries the change once more")
        #expect(!state.isIdle)
        for effect in last { _ = state.storeFailed(effect, now: now) }
        #expect(state.isIdle)
    }

    @Test
    func `no row is claimed and no alarm is set without a server`() {
        var state = EngineState(schedule: .sample)
        let later = now.wall.adding(microseconds: 5)
        let effects = state.scheduleChanged(ScheduleHead(wall: later, boot: now.boot - 1), now: now)
        #expect(effects == [.arm(ClockAlarms())])
        #expect(state.presenterBecameAvailable(now: now).claims == [64])
        #expect(state.presenterBecameUnavailable(now: now).contains(.restoring(.lose(nil))))
    }

    @Test
    func `the alarms are set for future rows, never for due rows that wait`() {
        var state = busy()
        let later = now.adding(microseconds: EngineState.claimLead)
        let alarms = ClockAlarms(wall: now.wall.adding(microseconds: 7), boot: now.boot + 9)
        let head = ScheduleHead(wall: later.wall.adding(microseconds: 7), boot: later.boot + 9)
        #expect(state.scheduleChanged(head, now: now) == [.arm(alarms)])
        _ = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        let full = state.rowsClaimed(rows(64), now: now)
        #expect(full.alarms == [ClockAlarms()])
    }

    @Test
    func `claimed rows go to the server in order, each with its app and category`() {
        var state = busy()
        state.change(app) { $0.identity = .sample() }
        state.change(app) { $0.categories = ["c": NotificationCategory(identifier: "c")] }
        var one = row(1)
        one.request.content.categoryIdentifier = "c"
        let shown = state.rowsClaimed([one, row(2)], now: now).presented
        #expect(shown.map(\.notification.request.identifier) == ["r1", "r2"])
        #expect(shown.first?.category?.identifier == "c")
        #expect(shown.first?.application.name == "An App")
        #expect(shown.first?.options == .all)
    }

    @Test
    func `the newest session that wants to be asked decides for its app`() {
        var state = busy()
        _ = state.connect(.sample(), asksBeforePresenting: true)
        let newer = state.connect(.sample(), asksBeforePresenting: true)
        _ = state.connect(.sample(), asksBeforePresenting: false)
        let effects = state.rowsClaimed([row(1), row(2), row(3)], now: now)
        #expect(effects.asked.map(\.session) == [newer, newer, newer])
        #expect(effects.presented.isEmpty)
        let tokens = effects.asked.map(\.token)
        let some = state.appDecided(tokens[0], with: [.banner, .sound])
        #expect(some.presented.map(\.options) == [[.banner, .sound]])
        #expect(state.appDecided(tokens[0], with: []).isEmpty, "a second answer changes nothing")
        #expect(state.appDecided(tokens[1], with: [.sound]).settled == [.suppressed])
        #expect(state.appDecided(PresentationToken(rawValue: 99), with: .all).isEmpty)
    }

    /// Apple's own sample code answers with the sound alone.
    @Test(arguments: [("a text", Settlement.Outcome.suppressed), ("", .withoutPopup)])
    func `an app can ask for the sound alone, and then nothing is shown or listed`(
        body: String, end: Settlement.Outcome
    ) {
        var state = busy()
        _ = state.connect(.sample(), asksBeforePresenting: true)
        var loud = row(1)
        loud.request.content = NotificationContent(title: "", body: body)
        loud.request.content.sound = NotificationSound(.standard)
        let token = state.rowsClaimed([loud], now: now).asked[0].token
        let effects = state.appDecided(token, with: .sound)
        #expect(effects.presented.map(\.isForSoundOnly) == [true])
        #expect(effects.settled.isEmpty)
        #expect(state.outcome(of: token.rawValue, .withoutPopup, now: now).settled == [end])
    }

    @Test
    func `if an app does not answer in 3 seconds, its notification is only listed`() {
        var state = busy()
        _ = state.connect(.sample(), asksBeforePresenting: true)
        let effects = state.rowsClaimed([row(1)], now: now)
        #expect(effects.alarms.last?.boot == now.boot + 3_000_000)
        var later = now
        later.boot += 2_999_999
        #expect(state.clockRang(now: later).presented.isEmpty)
        later.boot += 1
        let rang = state.clockRang(now: later)
        #expect(rang.presented.map(\.options) == [[.list, .badge]], "no banner, no sound")
        #expect(rang.contains(.reportSilence([.sample("r1")])))
    }

    @Test
    func `an app that never answers does not delay other apps`() throws {
        var state = busy()
        let other = try ApplicationID("org.example.Other")
        _ = state.connect(.sample(), asksBeforePresenting: true)
        let sent = state.rowsClaimed(rows(64), now: now)
        #expect(sent.contains(.claim(limit: 64, excluding: [app])))
        #expect(state.rowsClaimed([row(65, other)], now: now).presented.count == 1)
    }

    @Test
    func `if a session ends during a question, the session's notifications are shown`() {
        var state = busy()
        let session = state.connect(.sample(), asksBeforePresenting: true)
        _ = state.rowsClaimed([row(1), row(2)], now: now)
        let shown = state.disconnect(session, now: now).presented
        #expect(shown.map(\.notification.request.identifier) == ["r1", "r2"])
    }

    @Test(arguments: [
        (
            PresentationOutcome.presented(PresentedPopup(id: 7, server: ":1.2")),
            Settlement.Outcome.delivered(PresentedPopup(id: 7, server: ":1.2"))
        ),
        (.unanswered, .delivered(nil)), (.deliveredSilently, .delivered(nil)),
        (.withoutPopup, .withoutPopup), (.interrupted, .requeued), (.unavailable, .requeued),
        (.refused("no"), .failed(.refused, "no")),
    ])
    func `each outcome settles its delivery, and a second outcome changes nothing`(
        outcome: PresentationOutcome, end: Settlement.Outcome
    ) {
        var state = busy()
        let shown = state.rowsClaimed([row(1)], now: now).presented
        let token = shown.first?.token ?? 0
        #expect(state.outcome(of: token, outcome, now: now).settled == [end])
        #expect(state.outcome(of: token, outcome, now: now).isEmpty)
        #expect(state.outcome(of: 999, outcome, now: now).isEmpty)
        #expect(state.deliveries.count == 1, "a delivery stays until its settlement is stored")
        _ = state.rowsSettled([token], now: now)
        #expect(state.deliveries.isEmpty)
    }

    @Test
    func `a server that is available but takes no post is not asked in a loop`() {
        var state = busy()
        let token = state.rowsClaimed([row(1)], now: now).presented.first?.token ?? 0
        _ = state.outcome(of: token, .unavailable, now: now)
        let effects = state.rowsSettled([token], now: now)
        #expect(effects.claims.isEmpty)
        #expect(effects.alarms.last?.boot == now.boot + 1_000_000)
    }

    @Test
    func `a failed settlement or claim is retried after a second`() {
        var state = busy()
        let token = state.rowsClaimed([row(1)], now: now).presented.first?.token ?? 0
        let settle = state.outcome(of: token, .unanswered, now: now)
        _ = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        let failure = state.storeFailed(.claim(limit: 63, excluding: []), now: now)
        #expect(failure.claims.isEmpty)
        #expect(failure.alarms.last?.boot == now.boot + 1_000_000)
        for effect in settle { _ = state.storeFailed(effect, now: now) }
        var later = now
        later.boot += 999_999
        #expect(state.clockRang(now: later).claims.isEmpty)
        later.boot += 1
        let again = state.clockRang(now: later)
        #expect(again.settled == [.delivered(nil)])
        #expect(again.claims == [63])
        #expect(!state.isIdle, "a delivery is work until its settlement is stored")
    }

    @Test
    func `a claim that finds nothing is repeated only after a change or some time`() {
        var state = busy()
        #expect(
            state.rowsClaimed([], now: now)
                == [.arm(ClockAlarms(boot: now.boot + EngineState.recheckInterval))])
        #expect(state.scheduleChanged(ScheduleHead(wall: now.wall), now: now).claims == [64])
        // The claim's own commit reports the unchanged schedule.
        _ = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        #expect(state.rowsClaimed([], now: now).claims.isEmpty)
    }

    @Test
    func `a change during a claim leads to another claim`() {
        var state = busy()
        _ = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        #expect(state.isClaiming)
        #expect(state.presenterBecameAvailable(now: now).claims.isEmpty)
        #expect(state.rowsClaimed([], now: now).claims == [64])
        #expect(
            state.rowsClaimed([], now: now).claims.isEmpty,
            "nothing changed during the second claim")
        var head = ScheduleHead(wall: now.wall)
        #expect(state.scheduleChanged(head, now: now).claims == [64])
        head.changes += 1
        _ = state.scheduleChanged(head, now: now)
        #expect(
            state.rowsClaimed([], now: now).claims == [64],
            "`changes` shows a change that the claim missed")
    }

    @Test
    func `if the server leaves before a popup is stored, the popup is treated as lost`() {
        var state = busy()
        let token = state.rowsClaimed([row(1)], now: now).presented[0].token
        _ = state.outcome(of: token, .presented(PresentedPopup(id: 7, server: ":1.5")), now: now)
        _ = state.presenterBecameUnavailable(now: now)
        #expect(state.rowsSettled([token], now: now).contains(.restoring(.lose([row(1).key]))))
    }

    @Test
    func `a request removed while its app is asked is not shown`() {
        var state = busy()
        _ = state.connect(.sample(), asksBeforePresenting: true)
        let asked = state.rowsClaimed([row(1), row(2)], now: now).asked
        #expect(state.rowsWithdrawn([1]).settled == [.requeued])
        #expect(state.appDecided(asked[0].token, with: .all).isEmpty)
        #expect(state.appDecided(asked[1].token, with: .all).presented.count == 1)
        #expect(state.rowsWithdrawn([2]).isEmpty, "row 2 was sent, so it is not requeued")
    }

    @Test
    func `a request removed during its claim is not shown and leaves no record`() {
        var state = busy()
        state.isClaiming = true
        _ = state.rowsWithdrawn([1])
        let claimed = state.rowsClaimed([row(1), row(2)], now: now)
        #expect(claimed.settled == [.requeued])
        #expect(claimed.presented.map(\.notification.request.identifier) == ["r2"])
    }

    @Test
    func `a removed request whose post the server refuses leaves no record`() {
        var state = busy()
        let shown = state.rowsClaimed([row(1), row(2)], now: now).presented
        _ = state.rowsWithdrawn([1, 2])
        #expect(
            state.outcome(of: shown[0].token, .refused("withdrawn"), now: now).settled
                == [.requeued])
        let popup = PresentedPopup(id: 1, server: "s")
        #expect(
            state.outcome(of: shown[1].token, .presented(popup), now: now).settled
                == [.delivered(popup)])
    }

    @Test
    func `a stopping engine requeues the unshown rows, and claims no more`() {
        var state = busy()
        _ = state.connect(.sample(), asksBeforePresenting: true)
        _ = state.rowsClaimed([row(1)], now: now)
        let effects = state.stop()
        #expect(effects.settled == [.requeued])
        #expect(effects.alarms == [ClockAlarms()])
        #expect(state.scheduleChanged(ScheduleHead(wall: now.wall), now: now).isEmpty)
        #expect(
            state.rowsClaimed([row(2)], now: now).settled == [.requeued],
            "the rows of a claim that ends after the stop are requeued")
    }

    // MARK: Responses

    @Test
    func `a click waits until its notification is stored`() {
        var state = busy()
        let token = state.rowsClaimed([row(1)], now: now).presented.first?.token ?? 0
        let click = PopupEvent.response(.standard, activationToken: "t")
        _ = state.outcome(of: token, .unanswered, now: now)
        #expect(state.popupReported(.sample("r1"), click).isEmpty)
        #expect(state.popupReported(.sample("r1"), .expired).isEmpty)
        #expect(
            state.rowsSettled([token], now: now).prefix(2)
                == [.record(.sample("r1"), click), .record(.sample("r1"), .expired)])
        #expect(state.popupReported(.sample("r1"), click) == [.record(.sample("r1"), click)])
    }

    @Test
    func `an app that never connected gets its name from the last part of its id`() throws {
        let state = EngineState(schedule: .sample)
        #expect(state[try ApplicationID("org.example.Reminders")].shownIdentity.name == "Reminders")
    }
}

extension [EngineEffect] {
    var claims: [Int] {
        compactMap { if case .claim(let limit, _) = $0 { limit } else { nil } }
    }

    var alarms: [ClockAlarms] {
        compactMap { if case .arm(let alarms) = $0 { alarms } else { nil } }
    }

    var presented: [Presentation] {
        flatMap { effect -> [Presentation] in
            if case .present(let presentations) = effect { presentations } else { [] }
        }
    }

    var asked: [(session: ServiceSession, token: PresentationToken)] {
        compactMap {
            guard case .send(let session, .willPresent(let token, _)) = $0 else { return nil }
            return (session, token)
        }
    }

    var settled: [Settlement.Outcome] {
        compactMap { if case .settle(_, let settlement) = $0 { settlement.outcome } else { nil } }
    }
}
