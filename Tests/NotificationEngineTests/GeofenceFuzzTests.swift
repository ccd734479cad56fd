import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// Regions under random tracks: the device really was on each side that the machine reports.
@Suite struct GeofenceFuzzTests {
    @Test func `a side is reported only after a fix on that side, and sides alternate`() throws {
        try FuzzRun("geofences", rounds: 300).rounds { _, random in
            var walk = RandomWalk(&random)
            for _ in 0..<200 {
                walk.step(&random)
                try walk.check()
            }
            try walk.settle(isInside: true)
            try walk.settle(isInside: false)
        }
    }

    @Test func `no sequence of hostile fixes breaks the machine`() throws {
        let odd: [Double] = [
            0, -0.0, 90, -90, 180, -180, 1e300, -1e300, .nan, .infinity, -.infinity,
            .leastNonzeroMagnitude, 89.999_999,
        ]
        try FuzzRun("geofence-fixes", rounds: 300).rounds { _, random in
            var machine = GeofenceMachine()
            var now = ClockReading.sample(boot: random.next() % 2 == 0 ? 0 : .max - 1_000)
            for index in 0..<3 {
                let region = NotificationRegion.around(
                    Double.random(in: -90...90, using: &random),
                    Double.random(in: -180...180, using: &random),
                    radius: [1, 200, 20_000_000].randomElement(using: &random) ?? 1)
                machine.arm(
                    StoredRegion(key: .sample("\(index)"), region: region, repeats: index > 0))
            }
            for _ in 0..<200 {
                let date = Instant(microseconds: Int64.random(in: .min ... .max, using: &random))
                let fix = LocationFix(
                    latitude: odd.randomElement(using: &random) ?? 0,
                    longitude: odd.randomElement(using: &random) ?? 0,
                    accuracy: odd.randomElement(using: &random) ?? 0,
                    date: Bool.random(using: &random) ? date : nil)
                _ = machine.locate(fix, now: now)
                now = now.adding(
                    microseconds: Int64.random(in: 0...200_000_000, using: &random))
                _ = machine.advance(boot: now.boot)
                if let deadline = machine.deadline, deadline <= now.boot, now.boot < .max {
                    throw HarnessError("an alarm in the past would ring for ever")
                }
                _ = machine.need(after: nil)
            }
        }
    }
}

/// A device on a straight line through a region; each fix is off by at most its accuracy.
private struct RandomWalk {
    private var track: GeofenceTrack
    /// The true position of the device, in metres from the region's middle.
    private var truth: Double
    /// The true distances at the fixes since the last change of side.
    private var distances: [Double] = []
    private var checked = 0
    private var isFresh = false

    init(_ random: inout SeededGenerator) {
        track = GeofenceTrack(
            .around(52, 13, radius: Double.random(in: 50...3_000, using: &random)))
        truth = Double.random(in: -5_000...5_000, using: &random)
    }

    mutating func step(_ random: inout SeededGenerator) {
        let radius = track.region.radius
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where isFresh:
            // A wild fix between two good fixes.
            let far = Double.random(in: 50_000...90_000, using: &random)
            track.move(to: Bool.random(using: &random) ? far : -far, after: 20)
            isFresh = false
        case 1:
            let seconds = Int64.random(in: 1...20_000, using: &random)
            track.suspend(seconds: seconds)
            move(by: Double.random(in: -5_000...5_000, using: &random), seconds: seconds)
            isFresh = false
        case 2:
            track.wait(seconds: Int64.random(in: 1...90, using: &random))
            isFresh = false
        default:
            let seconds = Int64.random(in: 5...60, using: &random)
            move(by: Double.random(in: -radius...radius, using: &random), seconds: seconds)
            let accuracy = Double.random(in: 1...100, using: &random)
            let noise = Double.random(in: -accuracy...accuracy, using: &random)
            track.move(to: truth + noise, after: seconds, accuracy: accuracy)
            distances.append(abs(truth))
            isFresh = true
        }
    }

    private mutating func move(by metres: Double, seconds: Int64) {
        let most = 40.0 * Double(seconds)
        truth = min(max(truth + min(max(metres, -most), most), -9_000), 9_000)
    }

    mutating func check() throws {
        for index in checked..<track.changes.count {
            let change = track.changes[index]
            guard let isInside = change.isInside else { throw HarnessError("a side was forgotten") }
            if index > 0, track.changes[index - 1].isInside == isInside {
                throw HarnessError("the machine reported the same side twice")
            }
            guard (index > 0) == change.fires else {
                throw HarnessError("a first side fired, or a crossing did not")
            }
            let radius = track.region.radius
            // One of the fixes since the last change must be on the new side.
            let fits = distances.contains { isInside ? $0 <= radius + 0.1 : $0 >= radius - 0.1 }
            guard fits else { throw HarnessError("no fix was on that side") }
        }
        if checked < track.changes.count { distances = distances.suffix(1) }
        checked = track.changes.count
    }

    /// Stays on one side until the machine must know that side.
    mutating func settle(isInside: Bool) throws {
        truth = isInside ? 0 : track.region.radius + 1_000
        for _ in 0..<3 { track.move(to: truth, after: 600) }
        track.wait(seconds: 60)
        guard track.changes.last?.isInside == isInside else {
            throw HarnessError("the device stayed, but the machine does not know its side")
        }
        checked = track.changes.count
    }
}
