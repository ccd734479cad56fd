import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport

/// A walk past one region, written as distances from the region's middle.
struct GeofenceTrack {
    static let key = NotificationKey.sample("there")

    private(set) var machine: GeofenceMachine
    private(set) var now = ClockReading.sample()
    /// The changes of side, in order.
    private(set) var changes: [RegionChange] = []
    let region: NotificationRegion

    /// Begins on the given side; nil means an unknown side.
    init(
        _ region: NotificationRegion = .around(52.52, 13.405), repeats: Bool = true,
        isInside: Bool? = nil, rules: GeofenceMachine.Rules = .init()
    ) {
        self.region = region
        machine = GeofenceMachine(rules: rules)
        machine.arm(
            StoredRegion(key: Self.key, region: region, repeats: repeats, isInside: isInside))
    }

    /// The crossings that fire: true for entering.
    var crossings: [Bool] { changes.filter(\.fires).compactMap(\.isInside) }

    /// Lets time pass; the machine's alarm rings when it is due.
    mutating func wait(seconds: Int64) {
        let end = now.adding(microseconds: seconds * 1_000_000)
        while let deadline = machine.deadline, deadline <= end.boot {
            now = now.adding(microseconds: max(0, deadline - now.boot))
            changes += machine.advance(boot: now.boot)
        }
        now = now.adding(microseconds: end.boot - now.boot)
    }

    /// Suspends the device: the alarm rings only at the end.
    mutating func suspend(seconds: Int64) {
        now = now.adding(microseconds: seconds * 1_000_000)
        changes += machine.advance(boot: now.boot)
    }

    /// Waits, and reports a fix this far north of the middle.
    mutating func move(
        to metres: Double, after seconds: Int64 = 30, accuracy: Double = 10, age: Int64 = 0
    ) {
        let degrees = metres / Place.earthRadius * 180 / .pi
        move(
            to: Place(latitude: region.latitude + degrees, longitude: region.longitude),
            after: seconds, accuracy: accuracy, age: age)
    }

    mutating func move(
        to place: Place, after seconds: Int64 = 30, accuracy: Double = 10, age: Int64 = 0
    ) {
        if seconds > 0 { wait(seconds: seconds) }
        let fix = LocationFix(
            latitude: place.latitude, longitude: place.longitude, accuracy: accuracy,
            date: now.wall.adding(microseconds: -age * 1_000_000))
        changes += machine.locate(fix, now: now)
    }

    /// Lets time pass while the alarm is late.
    mutating func passWithoutAlarm(seconds: Int64) {
        now = now.adding(microseconds: seconds * 1_000_000)
    }

    mutating func turnOff() { changes += machine.forgetSides() }
}

extension NotificationRegion {
    /// A region that fires at both crossings by default.
    static func around(
        _ latitude: Double, _ longitude: Double, radius: Double = 200, onEntry: Bool = true,
        onExit: Bool = true
    ) -> NotificationRegion {
        NotificationRegion(
            identifier: "there", latitude: latitude, longitude: longitude, radius: radius,
            onEntry: onEntry, onExit: onExit)
    }
}
