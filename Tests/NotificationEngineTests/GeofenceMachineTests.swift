import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// The crossings of a region that the machine finds along a track of location fixes.
@Suite struct GeofenceMachineTests {
    // MARK: Crossings

    @Test func `a walk through a region enters once and leaves once`() {
        var track = GeofenceTrack()
        for metres in stride(from: 600.0, through: -600, by: -20) { track.move(to: metres) }
        track.wait(seconds: 60)
        #expect(track.crossings == [true, false])
        #expect(
            track.changes.map(\.isInside) == [false, true, false],
            "the first known side is a change, but no crossing")
    }

    @Test func `a device that begins inside a region enters only after an exit`() {
        var track = GeofenceTrack()
        track.move(to: 0)
        track.wait(seconds: 3_600)
        #expect(track.crossings.isEmpty)
        track.move(to: 500)
        track.move(to: 0)
        track.wait(seconds: 30)
        #expect(track.crossings == [false, true])
    }

    @Test(arguments: [(true, false, [true]), (false, true, [false])])
    func `only the wanted crossings fire, and the machine also tracks the unwanted crossings`(
        onEntry: Bool, onExit: Bool, expected: [Bool]
    ) {
        var track = GeofenceTrack(.around(1, 2, onEntry: onEntry, onExit: onExit))
        for metres in [500.0, 0, 500] { track.move(to: metres) }
        track.wait(seconds: 30)
        #expect(track.crossings == expected)
        #expect(track.changes.map(\.isInside) == [false, true, false])
    }

    @Test func `the region of a one-shot request is not watched after the request has fired`() {
        var track = GeofenceTrack(.around(1, 2, onExit: false), repeats: false)
        for metres in [500.0, 0, 500, 0] { track.move(to: metres) }
        #expect(track.crossings == [true])
        #expect(track.machine.isEmpty && track.machine.need(after: nil) == nil)
        #expect(track.machine.deadline == nil)
    }

    // MARK: Noise

    @Test(arguments: [(9, []), (28, [true])] as [(Double, [Bool])])
    func `jitter at the boundary fires at most once`(metres: Double, expected: [Bool]) {
        var track = GeofenceTrack()
        track.move(to: 400)
        for step in 0..<100 {
            track.move(to: step.isMultiple(of: 2) ? 200 + metres : 200 - metres)
        }
        #expect(track.crossings == expected)
    }

    @Test func `a side is confirmed after 20 seconds without contradiction`() {
        var track = GeofenceTrack()
        track.move(to: 400)
        track.move(to: 100)
        track.wait(seconds: 19)
        #expect(track.crossings.isEmpty)
        track.wait(seconds: 1)
        #expect(track.crossings == [true])
    }

    @Test func `a contrary fix cancels an unconfirmed crossing, and a vague fix does not`() {
        var track = GeofenceTrack()
        track.move(to: 400)
        track.move(to: 100)
        track.move(to: 400, after: 10)
        track.wait(seconds: 60)
        #expect(track.crossings.isEmpty)
        track.move(to: 100)
        track.move(to: 195, after: 10)
        track.wait(seconds: 10)
        #expect(track.crossings == [true])
    }

    @Test func `a contrary fix that arrives late but was taken in time cancels a crossing`() {
        var track = GeofenceTrack()
        track.move(to: 400)
        track.move(to: 100)
        // The alarm and the fix are both late: the machine was busy.
        track.passWithoutAlarm(seconds: 25)
        track.move(to: 400, after: 0, age: 10)
        track.wait(seconds: 60)
        #expect(track.crossings.isEmpty)
    }

    @Test func `one wild fix fires nothing`() {
        var track = GeofenceTrack()
        track.move(to: 20_000)
        track.move(to: 0)
        track.move(to: 20_010)
        track.wait(seconds: 60)
        #expect(track.crossings.isEmpty)
    }

    @Test func `a jump is accepted when two fixes agree on it`() {
        var track = GeofenceTrack()
        track.move(to: 500_000)
        track.move(to: 0)
        track.move(to: 0)
        track.wait(seconds: 20)
        #expect(track.crossings == [true])
    }

    @Test(arguments: [
        LocationFix(latitude: 91, longitude: 0, accuracy: 1),
        LocationFix(latitude: .nan, longitude: 0, accuracy: 1),
        LocationFix(latitude: 0, longitude: 181, accuracy: 1),
        LocationFix(latitude: 0, longitude: 0, accuracy: .infinity),
        LocationFix(latitude: 1, longitude: 0, accuracy: 2_000),
        LocationFix(
            latitude: 1, longitude: 0, accuracy: 1,
            date: ManualClock.start.adding(microseconds: -121_000_000)),
        LocationFix(latitude: 0, longitude: 0, accuracy: 1, date: Instant(microseconds: .min)),
    ])
    func `an impossible, vague or old fix is ignored`(fix: LocationFix) {
        var machine = GeofenceMachine()
        machine.arm(
            StoredRegion(key: GeofenceTrack.key, region: .around(0, 0), repeats: true))
        #expect(machine.locate(fix, now: .sample()).isEmpty)
        // If the machine kept an ignored fix at another place, this good fix would contradict it.
        let good = LocationFix(latitude: 0, longitude: 0, accuracy: 1)
        #expect(machine.locate(good, now: .sample()).map(\.isInside) == [true])
    }

    @Test func `a fix from the future is treated as taken now`() {
        var track = GeofenceTrack()
        track.move(to: 0, age: -3_600)
        #expect(track.changes.map(\.isInside) == [true])
        track.move(to: 600, age: -3_600)
        track.wait(seconds: 20)
        #expect(track.crossings == [false])
    }

    @Test func `an accuracy of 0 is treated as 25 metres`() {
        var track = GeofenceTrack()
        track.move(to: 180, accuracy: 0)
        #expect(track.changes.isEmpty)
        track.move(to: 175, accuracy: 0)
        #expect(track.changes.map(\.isInside) == [true])
    }

    /// The cushion is the distance beyond the boundary at which a device is surely outside.
    @Test
    func `without cushion and confirmation each fix on the other side of the circle is a crossing`()
    {
        var rules = GeofenceMachine.Rules()
        (rules.confidence, rules.cushion, rules.confirmation) = (0, 0...0, 0)
        var track = GeofenceTrack(rules: rules)
        for metres in [201.0, 199, 201] { track.move(to: metres) }
        #expect(track.crossings == [true, false])
    }

    // MARK: Time and state

    @Test func `a known side is kept, so that a start of the daemon is no crossing`() {
        var track = GeofenceTrack(isInside: true)
        track.move(to: 0)
        track.wait(seconds: 60)
        #expect(track.changes.isEmpty)
        track.move(to: 1_000)
        track.wait(seconds: 60)
        #expect(track.crossings == [false])
    }

    @Test func `a crossing during a sleep fires once, after the first fix`() {
        var track = GeofenceTrack()
        track.move(to: 0)
        track.suspend(seconds: 8 * 3_600)
        track.move(to: 30_000, after: 5)
        track.wait(seconds: 20)
        #expect(track.crossings == [false])
    }

    @Test func `an unconfirmed crossing from before a sleep waits for another fix`() {
        var track = GeofenceTrack()
        track.move(to: 5_000)
        track.move(to: 0)
        track.suspend(seconds: 3_600)
        #expect(track.crossings.isEmpty && track.machine.deadline == nil)
        track.move(to: 5_000, after: 5)
        track.wait(seconds: 60)
        #expect(track.crossings.isEmpty, "the device is back at its first place")
    }

    @Test func `turning location off makes every side unknown`() {
        var track = GeofenceTrack()
        track.move(to: 0)
        track.turnOff()
        #expect(track.changes.map(\.isInside) == [true, nil])
        track.move(to: 9_000)
        track.wait(seconds: 60)
        #expect(track.crossings.isEmpty)
        #expect(track.changes.map(\.isInside) == [true, nil, false])
    }

    @Test func `a request that is added again begins with an unknown side`() {
        var machine = GeofenceMachine()
        let stored = StoredRegion(key: GeofenceTrack.key, region: .around(0, 0), repeats: true)
        machine.arm(stored)
        let here = LocationFix(latitude: 0, longitude: 0, accuracy: 5)
        #expect(machine.locate(here, now: .sample()).map(\.isInside) == [true])
        machine.arm(stored)
        #expect(machine.locate(here, now: .sample()).map(\.isInside) == [true])
        machine.load([stored])
        #expect(machine.locate(here, now: .sample()).isEmpty, "a load does not change a known side")
    }

    @Test func `regions are counted for each app`() throws {
        let other = try ApplicationID("org.example.Other")
        var machine = GeofenceMachine()
        for name in ["a", "b", "a"] {
            machine.arm(StoredRegion(key: .sample(name), region: .around(0, 0), repeats: true))
        }
        #expect(machine.count(of: .tocsin, besides: "new") == 2)
        #expect(machine.count(of: .tocsin, besides: "a") == 1)
        #expect(machine.count(of: other, besides: "a") == 0)
        machine.disarm(.sample("a"))
        machine.disarm(.sample("a"))
        #expect(machine.count(of: .tocsin, besides: "new") == 1)
        machine.disarm(ApplicationID.tocsin)
        #expect(machine.isEmpty && machine.count(of: .tocsin, besides: "") == 0)
    }

    // MARK: The need

    @Test func `an exact location is needed near a boundary and while the place is unknown`() {
        var track = GeofenceTrack()
        func need() -> LocationNeed? { track.machine.need(after: nil) }
        #expect(need() == LocationNeed(isExact: true, distance: 50))
        track.move(to: 100_000)
        #expect(need() == LocationNeed(isExact: false, distance: 5_000))
        track.move(to: 98_000)
        #expect(need() == LocationNeed(isExact: false, distance: 5_000))
        var near = GeofenceTrack()
        near.move(to: 1_500)
        #expect(near.machine.need(after: nil) == LocationNeed(isExact: true, distance: 400))
        near.move(to: 2_700, after: 60)
        let street = LocationNeed(isExact: false, distance: 800)
        #expect(near.machine.need(after: nil) == street)
        let exact = LocationNeed(isExact: true, distance: 800)
        #expect(
            near.machine.need(after: exact) == exact,
            "an exact need stays exact up to 3 km, not only up to 2 km")
    }

    @Test func `an exact location is needed after ten minutes without a fix`() {
        var track = GeofenceTrack()
        track.move(to: 100_000)
        track.wait(seconds: 599)
        #expect(track.machine.need(after: nil)?.isExact == false)
        track.wait(seconds: 1)
        #expect(track.machine.need(after: nil)?.isExact == true)
        #expect(track.machine.deadline == nil, "the need is exact now, so no further alarm is set")
    }
}

/// Distances on the globe.
@Suite struct GeofencePlaceTests {
    @Test(
        arguments: [
            (Place(latitude: 0, longitude: 0), Place(latitude: 0.01, longitude: 0), 1_111.951),
            (
                Place(latitude: 10, longitude: 179.995), Place(latitude: 10, longitude: -179.995),
                1_095.058
            ),
            (
                Place(latitude: 48.8566, longitude: 2.3522),
                Place(latitude: 51.5074, longitude: -0.1278), 343_556.5
            ),
            (
                Place(latitude: 90, longitude: 17), Place(latitude: 90, longitude: -120), 0
            ),
            (
                Place(latitude: 0, longitude: 0), Place(latitude: 0, longitude: 180), 20_015_114.4
            ),
        ] as [(Place, Place, Double)])
    func `the distance is that of the great circle`(one: Place, other: Place, metres: Double) {
        #expect(abs(one.distance(to: other) - metres) < 0.06)
        #expect(abs(other.distance(to: one) - metres) < 0.06)
    }

    @Test func `a region across the antimeridian is entered from both sides`() {
        for longitude in [179.99, -179.99] {
            var track = GeofenceTrack(.around(10, 179.9995))
            track.move(to: Place(latitude: 10, longitude: longitude))
            track.move(to: Place(latitude: 10, longitude: -179.9997))
            track.wait(seconds: 20)
            #expect(track.crossings == [true])
        }
    }

    @Test(arguments: [90.0, -90])
    func `a region around a pole is entered from every side`(pole: Double) {
        for longitude in stride(from: -180.0, through: 180, by: 45) {
            var track = GeofenceTrack(.around(pole, 0))
            track.move(to: Place(latitude: pole * 0.9999, longitude: longitude))
            track.move(to: Place(latitude: pole, longitude: -longitude))
            track.wait(seconds: 20)
            #expect(track.crossings == [true])
        }
    }
}
