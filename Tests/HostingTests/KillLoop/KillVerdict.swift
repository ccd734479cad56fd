import DesktopBus
import Foundation
import TestSupport

/// Compares the events of a run with the promises that a killed daemon must keep.
///
/// It owns the events and the calls of one run. It promises to count every loss, repetition and
/// wrong event. It never excuses a repetition other than D1.
///
/// - A `Notify` call is in flight at a kill if the store still says "presenting". Nobody knows
///   whether its popup was shown, so the next daemon shows it again (D1).
/// - A click counts as stored when its daemon has answered enough later calls.
/// - A kill loses a click whose signal is in flight, because servers signal only once.
struct KillVerdict {
    private(set) var adds = 0
    private(set) var snoozes = 0
    /// Stores that were damaged and repaired.
    private(set) var repairs = 0
    /// Daemons that died within a repair.
    private(set) var interruptedRepairs = 0
    private(set) var fires = 0
    private(set) var clicks = 0
    /// The clicks whose responses reached the app.
    private(set) var answers = 0
    /// Clicks without a response: lost in a kill, made without a daemon, or on a popup that D1
    /// repeated.
    private(set) var unheard = 0
    private(set) var lost: [String] = []
    private(set) var twice = 0
    /// The calls in flight at the kills.
    private(set) var allowed = 0
    /// Every other event that must not happen.
    private(set) var wrong: [String] = []

    /// The maximum number of posts that are sent but not yet stored as shown at a kill.
    private static let openPosts = 64

    private let events: [KillEvent]
    private let calls: [NotifyCall]
    private let autopsies: [StoreAutopsy]

    /// Judges a run.
    ///
    /// - `delivered`: the identifiers in the delivered list at the end.
    /// - `later`: the requests that are pending at the end and not due soon.
    /// - `life`: the number of the last daemon.
    init(
        _ events: [KillEvent], calls: [NotifyCall], delivered: Set<String>,
        later: Set<String> = [], life: Int
    ) {
        self.events = events
        self.calls = calls
        autopsies = events.compactMap {
            if case .killed(let autopsy, _) = $0 { autopsy } else { nil }
        }
        fires = calls.count
        judgeStores()
        judgeRequests(delivered, waiting: later)
        judgeSnoozes(later)
        judgeRepetitions()
        judgeRepeats()
        judgeClicks(life)
        judgeAnswers()
    }

    var faults: [String] { lost.map { "lost: \($0)" } + wrong }

    var summary: String {
        "adds \(adds), snoozes \(snoozes), "
            + "repairs \(repairs) (\(interruptedRepairs) interrupted), fires \(fires), clicks \(clicks) (\(answers) answered, \(unheard) unheard), "
            + "lost \(lost.count), twice \(twice), D1 allowed \(allowed)"
    }

    private mutating func judgeStores() {
        for (number, autopsy) in autopsies.enumerated() where !autopsy.isClean {
            wrong.append("kill \(number + 1) left a damaged store")
        }
        interruptedRepairs = autopsies.count(where: \.isRepairing)
    }

    /// Expects that due requests were shown, later ones are pending, and removed ones are neither.
    private mutating func judgeRequests(_ delivered: Set<String>, waiting: Set<String>) {
        let shown = Set(calls.map(\.summary))
        var (due, later, removed, unknown, maybeSnoozed) = (
            Set<String>(), Set<String>(), Set<String>(), Set<String>(), Set<String>()
        )
        for event in events {
            switch event {
            case .added(let name, let isDue):
                adds += 1
                if isDue { due.insert(name) } else { later.insert(name) }
            case .maybeAdded(let name): unknown.insert(name)
            case .maybeRemoved(let name), .snoozed(let name, _): removed.insert(name)
            case .maybeSnoozed(let name): maybeSnoozed.insert(name)
            case .removed(let name, let count):
                removed.insert(name)
                if waiting.contains(name) { wrong.append("\(name) was removed, and waits") }
                if calls.dropFirst(count).contains(where: { $0.summary == name }) {
                    wrong.append("\(name) was removed, and fired")
                }
            default: break
            }
        }
        let unseen = due.subtracting(removed).subtracting(shown).subtracting(delivered)
        lost += unseen.subtracting(maybeSnoozed.intersection(waiting)).sorted()
        // If a replacement failed because its daemon died, the request is pending or its
        // replacement was shown.
        lost += later.subtracting(due).subtracting(shown).subtracting(waiting).sorted()
            .map { "\($0), which was for later" }
        wrong += later.intersection(due).intersection(waiting).sorted()
            .map { "\($0) was replaced by what was due, and waits" }
        // Leave out replaced requests: the replacement, which has the same name, may have fired.
        wrong += later.subtracting(due).subtracting(unknown).intersection(shown).sorted()
            .map { "\($0) was for later, and fired" }
        if shown.contains("old") { wrong.append("a request fired that was replaced") }
    }

    /// Expects that snoozed requests were not shown again, and are pending.
    private mutating func judgeSnoozes(_ later: Set<String>) {
        for event in events {
            if case .damaged = event { repairs += 1 }
            guard case .snoozed(let name, let count) = event else { continue }
            snoozes += 1
            if calls.dropFirst(count).contains(where: { $0.summary == name }) {
                wrong.append("\(name) was snoozed, and fired")
            }
            if !later.contains(name) { lost.append("\(name), which was snoozed") }
        }
    }

    /// Expects that each daemon shows a request once, and repeats only requests in flight at a
    /// kill.
    private mutating func judgeRepetitions() {
        var posters: [String: [String]] = [:]
        for call in calls where !call.summary.hasPrefix("every") {
            posters[call.summary, default: []].append(call.sender.rawValue)
        }
        for (name, posters) in posters {
            judge(
                "\(name) by \(posters)", times: posters.count, posters: Set(posters).count,
                inFlight: autopsies.count { $0.presenting.contains(name) })
        }
        allowed = autopsies.reduce(0) { $0 + $1.presenting.count }
        if twice > Self.openPosts * autopsies.count {
            wrong.append("\(twice) were shown twice by \(autopsies.count) kills")
        }
    }

    private mutating func judge(_ name: String, times: Int, posters: Int, inFlight: Int) {
        twice += times - 1
        if posters < times { wrong.append("\(name) was shown twice by one daemon") }
        if times - 1 > inFlight {
            wrong.append("\(name): shown \(times) times, in flight at \(inFlight) kills")
        }
    }
}

// MARK: - Repeating requests

extension KillVerdict {
    private struct Showing {
        var date: Date
        var poster: String
    }

    /// Expects that each minute's occurrence was shown, and only once except for D1.
    private mutating func judgeRepeats() {
        var dates: [(String, Date)] = []
        for event in events {
            if case .shown(let title, let date) = event { dates.append((title, date)) }
        }
        guard let end = dates.last?.1 else { return }
        for event in events {
            guard case .repeating(let title, let second, let start) = event else { continue }
            var showings: [Int: [Showing]] = [:]
            for ((shown, date), call) in zip(dates, calls) where shown == title {
                let minute = Self.occurrence(at: date, second: second)
                showings[minute, default: []].append(
                    Showing(date: date, poster: call.sender.rawValue))
            }
            for (minute, all) in showings {
                judge(
                    "\(title) in minute \(minute)", times: all.count,
                    posters: Set(all.map(\.poster)).count,
                    inFlight: deaths(with: title, second: second, in: minute))
            }
            let first = Self.occurrence(at: start, second: second) + 1
            for minute in first...max(first, Self.occurrence(at: end, second: second))
            where showings[minute] == nil && wasServed(after: minute, second: second, dates) {
                lost.append("\(title) in minute \(minute)")
            }
        }
    }

    /// How many daemons died in the minute after this occurrence while they were showing it.
    private func deaths(with title: String, second: Int, in minute: Int) -> Int {
        events.count { event in
            guard case .killed(let autopsy, let date) = event else { return false }
            return autopsy.presenting.contains(title)
                && Self.occurrence(at: date, second: second) == minute
        }
    }

    /// Whether a popup was shown from 15 s after this occurrence until the next occurrence.
    ///
    /// If none was shown, the engine may have merged this occurrence with the next.
    private func wasServed(after minute: Int, second: Int, _ dates: [(String, Date)]) -> Bool {
        let due = Double(minute * 60 + second)
        return dates.contains { (due + 15..<due + 60).contains($0.1.timeIntervalSince1970) }
    }

    private static func occurrence(at date: Date, second: Int) -> Int {
        Int(((date.timeIntervalSince1970 - Double(second)) / 60).rounded(.down))
    }
}

// MARK: - Clicks

extension KillVerdict {
    /// Expects that each stored click reached the app, and no other event did.
    private mutating func judgeClicks(_ life: Int) {
        var heard: Set<UInt32> = []
        var made: [String: [KillClick]] = [:]
        var answered: [String: Int] = [:]
        var snoozed: Set<String> = []
        for event in events {
            switch event {
            case .snoozed(let name, _), .maybeSnoozed(let name): snoozed.insert(name)
            case .heard(let popup): heard.insert(popup)
            case .clicked(let click): made[click.title, default: []].append(click)
            case .answered(_, let title): answered[title, default: 0] += 1
            default: break
            }
        }
        for (title, clicks) in made {
            self.clicks += clicks.count
            let count = answered[title] ?? 0
            answers += count
            unheard += max(0, clicks.count - count)
            let certain = clicks.count {
                // A click on a snoozed popup may come while the popup is being removed.
                !isOrphan($0) && !snoozed.contains(title)
                    && (heard.contains($0.popup) || $0.life == life)
            }
            if count < certain { lost.append("a click on \(title): \(clicks)") }
            if count > clicks.count { wrong.append("\(title): \(count) answers to \(clicks)") }
        }
        for title in answered.keys where made[title] == nil {
            wrong.append("\(title) has a response, but nobody clicked it")
        }
    }

    /// Whether a daemon may have died before it knew this popup's id.
    ///
    /// The next daemon then knows only the popup that this popup replaced.
    private func isOrphan(_ click: KillClick) -> Bool {
        autopsies.contains { $0.presenting.contains(click.title) }
    }

    /// Expects that each response came once and was acknowledged, and then left the store.
    private mutating func judgeAnswers() {
        var came: Set<Int64> = []
        var acknowledged: Set<Int64> = []
        for event in events {
            switch event {
            case .answered(let id, let title):
                if !came.insert(id).inserted {
                    wrong.append("response \(id) to \(title) came twice")
                }
            case .acknowledged(let id): acknowledged.insert(id)
            case .killed(let autopsy, _):
                let back = autopsy.responses.intersection(acknowledged)
                if !back.isEmpty { wrong.append("acknowledged, and still stored: \(back)") }
            default: break
            }
        }
        let open = came.subtracting(acknowledged)
        if !open.isEmpty { wrong.append("never acknowledged: \(open)") }
    }
}
