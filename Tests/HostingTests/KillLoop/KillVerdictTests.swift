import DesktopBus
import Foundation
import TestSupport
import Testing

/// `KillVerdict` reports each kind of fault.
@Suite(.timeLimit(.minutes(1))) struct KillVerdictTests {
    private static func verdict(
        _ events: [KillEvent], calls: [(String, BusName)], later: Set<String> = [], life: Int = 2
    ) -> KillVerdict {
        KillVerdict(
            events, calls: calls.map { NotifyCall($0.0, from: $0.1) },
            delivered: [], later: later, life: life)
    }

    private static func killed(_ presenting: Set<String>) -> KillEvent {
        .killed(StoreAutopsy(presenting: presenting), at: Date(timeIntervalSince1970: 0))
    }

    @Test func `an added request that was never shown counts as lost`() {
        let verdict = Self.verdict(
            [.added("a", isDue: true), .added("b", isDue: true), .maybeAdded("c")],
            calls: [("b", ":1.1")])
        #expect(verdict.lost == ["a"] && verdict.wrong.isEmpty)
    }

    @Test func `a repeated popup is a fault unless a kill came during its delivery`() {
        let added = KillEvent.added("a", isDue: true)
        let calls: [(String, BusName)] = [("a", ":1.1"), ("a", ":1.2")]
        let explained = Self.verdict([added, Self.killed(["a"])], calls: calls)
        #expect(explained.faults.isEmpty && explained.twice == 1 && explained.allowed == 1)
        #expect(Self.verdict([added, Self.killed([])], calls: calls).wrong.count == 1)
        let same = Self.verdict(
            [added, Self.killed(["a"])], calls: [("a", ":1.1"), ("a", ":1.1")])
        #expect(same.wrong.count == 1)
    }

    @Test func `a removed or replaced request that fires is a fault`() {
        let events: [KillEvent] = [.added("a", isDue: true), .removed("a", calls: 1)]
        #expect(Self.verdict(events, calls: [("a", ":1.1")]).faults.isEmpty)
        #expect(Self.verdict(events, calls: [("b", ":1.1"), ("a", ":1.1")]).wrong.count == 1)
        #expect(Self.verdict([], calls: [("old", ":1.1")]).wrong.count == 1)
    }

    @Test func `a request for later that fires or is not pending at the end is a fault`() {
        let events: [KillEvent] = [.added("a", isDue: false)]
        #expect(Self.verdict(events, calls: [], later: ["a"]).faults.isEmpty)
        #expect(Self.verdict(events, calls: []).lost.count == 1)
        #expect(Self.verdict(events, calls: [("a", ":1.1")]).wrong.count == 1)
        let replaced = events + [.added("a", isDue: true)]
        #expect(Self.verdict(replaced, calls: [("a", ":1.1")]).faults.isEmpty)
        #expect(Self.verdict(replaced, calls: [("a", ":1.1")], later: ["a"]).wrong.count == 1)
        let unknown = events + [.maybeAdded("a")]
        #expect(Self.verdict(unknown, calls: [("a", ":1.1")]).faults.isEmpty)
        #expect(Self.verdict(unknown, calls: []).lost.count == 1)
        let removed: [KillEvent] = [.added("a", isDue: true), .removed("a", calls: 0)]
        #expect(Self.verdict(removed, calls: [], later: ["a"]).wrong.count == 1)
    }

    @Test func `if a daemon dies during a snooze, only a lost request is a fault`() {
        let events: [KillEvent] = [.added("a", isDue: true), .maybeSnoozed("a")]
        #expect(Self.verdict(events, calls: [], later: ["a"]).faults.isEmpty)
        #expect(Self.verdict(events, calls: [("a", ":1.1")]).faults.isEmpty)
        #expect(Self.verdict(events, calls: []).lost == ["a"])
    }

    @Test func `a damaged store is a fault, and a repair that a kill ended is counted`() {
        let date = Date(timeIntervalSince1970: 0)
        let verdict = Self.verdict(
            [
                .killed(StoreAutopsy(isClean: false), at: date),
                .killed(StoreAutopsy(isRepairing: true), at: date),
            ], calls: [])
        #expect(verdict.wrong.count == 1 && verdict.interruptedRepairs == 1)
    }

    @Test func `a snoozed request that is lost or shown again is a fault`() {
        let events: [KillEvent] = [.added("a", isDue: true), .snoozed("a", calls: 1)]
        #expect(Self.verdict(events, calls: [("a", ":1.1")], later: ["a"]).faults.isEmpty)
        #expect(Self.verdict(events, calls: [("a", ":1.1")]).lost.count == 1)
        let again = Self.verdict(events, calls: [("a", ":1.1"), ("a", ":1.2")], later: ["a"])
        #expect(again.wrong.contains("a was snoozed, and fired"))
    }

    @Test func `a stored click that is not answered exactly once is a fault`() {
        let click = KillClick(title: "a", popup: 1, kind: .action, poster: ":1.1", life: 1)
        let events: [KillEvent] = [.added("a", isDue: true), .clicked(click)]
        let calls: [(String, BusName)] = [("a", ":1.1")]
        #expect(
            Self.verdict(events, calls: calls).faults.isEmpty,
            "a kill ended the daemon of the click, and may have lost the click")
        #expect(
            Self.verdict(events, calls: calls, life: 1).lost.count == 1,
            "the daemon of the click was not killed, so nothing excuses the loss")
        #expect(Self.verdict(events + [.heard(popup: 1)], calls: calls).lost.count == 1)
        let answer = KillEvent.answered(id: 7, "a")
        let whole = events + [.heard(popup: 1), answer, .acknowledged(id: 7)]
        #expect(Self.verdict(whole, calls: calls).faults.isEmpty)
        #expect(Self.verdict(whole + [answer], calls: calls).wrong.count == 2)
    }

    @Test func `an occurrence of a repeating request that is not shown exactly once is a fault`() {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        let events: [KillEvent] = [
            .repeating("every.5", second: 5, at: date(0)), .shown("every.5", at: date(5.1)),
            .shown("other", at: date(90)), .shown("every.5", at: date(125.1)),
        ]
        let calls: [(String, BusName)] = [
            ("every.5", ":1.1"), ("other", ":1.1"), ("every.5", ":1.1"),
        ]
        let verdict = Self.verdict(events, calls: calls)
        #expect(verdict.lost == ["every.5 in minute 1"])
        let twice = Self.verdict(
            [events[0], events[1], .shown("every.5", at: date(6))], calls: [calls[0], calls[2]])
        #expect(twice.wrong.count == 2)
    }
}
