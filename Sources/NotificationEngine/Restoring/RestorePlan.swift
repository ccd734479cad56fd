import NotificationModel
import NotificationStore

// They are delivered already: a person has seen them, so few come back one by one.
extension RestorePlan {
    /// How many of an app come back one by one, the newest.
    static let individually = 5
    /// How old they may be, in microseconds.
    static let age: Int64 = 24 * 3_600 * 1_000_000

    /// Decides about all that is lost.
    init(_ lost: [Lost], now: Instant) {
        self.init()
        let oldest = now.adding(microseconds: -Self.age)
        var counts: [ApplicationID: Int] = [:]
        var summaries: [Lost] = []
        for one in lost.sorted(by: { $0.row > $1.row }) {
            let app = one.key.app
            if one.date < oldest {
                forgotten.append(one)
            } else if one.key.identifier == MissedSummary.identifier {
                summaries.append(one)
            } else if counts[app, default: 0] < Self.individually {
                counts[app, default: 0] += 1
                single.append(one)
            } else {
                summarized[app, default: []].append(one)
            }
        }
        // A summary that is about to count more is written anew.
        single += summaries.filter { summarized[$0.key.app] == nil }
        single.sort { $0.row < $1.row }
        summarized = summarized.mapValues { $0.reversed() }
    }
}
