import NotificationModel
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// The reports that an app's location managers get.
@Suite(.timeLimit(.minutes(2))) struct AppLocationMachineTests {
    private typealias Effect = AppLocationMachine.Effect

    private static let first = LocationClient(number: 1)
    private static let second = LocationClient(number: 2)
    private static let exact = LocationNeed(isExact: true, distance: 0)
    private static let shop = NotificationRegion.around(0, 0)

    /// A machine with two managers, and a clock.
    private struct Track {
        var machine = AppLocationMachine(app: .tocsin)
        var now = ClockReading.sample()

        init(
            _ permission: LocationPermission? = .whenInUse, _ status: LocationStatus = .available
        ) {
            machine.connect(first)
            machine.connect(second)
            if let permission { _ = machine.started(permission, status, now: now) }
        }

        /// Sends an event to the machine, and returns the effects except alarms.
        mutating func send(
            _ event: (inout AppLocationMachine, ClockReading) -> [Effect]
        ) -> [Effect] {
            event(&machine, now).filter { if case .arm = $0 { false } else { true } }
        }

        mutating func move(to longitude: Double, after seconds: Int64 = 40) -> [Effect] {
            now = now.adding(microseconds: seconds * 1_000_000)
            let fix = LocationFix(latitude: 0, longitude: longitude, accuracy: 10, date: now.wall)
            return send { $0.locationReported(.fix(fix), now: $1) }
        }

        mutating func wait(seconds: Int64) -> [Effect] {
            now = now.adding(microseconds: seconds * 1_000_000)
            return send { $0.advance(now: $1) }
        }

        func fix(_ longitude: Double) -> LocationReport {
            .fix(LocationFix(latitude: 0, longitude: longitude, accuracy: 10, date: now.wall))
        }
    }

    @Test func `updates begin with the permission and continue until the manager stops them`() {
        var track = Track(.notDetermined)
        #expect(track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }.isEmpty)
        let state = LocationState(permission: .whenInUse, isEnabled: true)
        #expect(
            track.send { $0.permissionAnswered(.whenInUse, now: $1) }
                == [.report(nil, .state(state)), .watch(Self.exact)])
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
        #expect(track.send { $0.stopUpdates(of: Self.first, now: $1) } == [.watch(nil)])
        #expect(track.move(to: 2).isEmpty)
    }

    @Test func `a manager gets reports only of moves beyond its distance filter`() {
        var track = Track()
        let far = LocationNeed(isExact: false, distance: 1_000)
        _ = track.send { $0.startUpdates(far, of: Self.first, now: $1) }
        #expect(
            track.send { $0.startUpdates(Self.exact, of: Self.second, now: $1) }
                == [.watch(Self.exact)])
        #expect(track.move(to: 1).count == 2)
        #expect(track.move(to: 1.001) == [.report(Self.second, track.fix(1.001))])
        #expect(track.move(to: 1.02).count == 2)
        #expect(
            track.send { $0.disconnect(Self.second, now: $1) } == [.watch(far)],
            "the need of a disconnected manager is ignored")
    }

    /// A delegate that adapts its accuracy to each place must not get the same place for ever.
    @Test func `a changed accuracy repeats neither the last place nor the last failure`() {
        let coarse = LocationNeed(isExact: false, distance: 0)
        var track = Track()
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
        #expect(
            track.send { $0.startUpdates(coarse, of: Self.first, now: $1) } == [.watch(coarse)])
        var denied = Track(.denied)
        #expect(
            denied.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
                == [.report(Self.first, .failed(.denied))])
        #expect(denied.send { $0.startUpdates(coarse, of: Self.first, now: $1) }.isEmpty)
    }

    @Test func `updates that start again report the known place again`() {
        var track = Track()
        _ = track.send { $0.monitor(Self.shop, now: $1) }
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        _ = track.move(to: 1)
        _ = track.send { $0.stopUpdates(of: Self.first, now: $1) }
        #expect(
            track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
                .contains(.report(Self.first, track.fix(1))))
    }

    /// Every distance from NaN fails the filter, so NaN must not become the last place.
    @Test func `a place that is not on Earth is not reported and ends no updates`() {
        var track = Track()
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        #expect(track.move(to: .nan).isEmpty)
        #expect(track.move(to: 181).isEmpty)
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
    }

    @Test func `a requested place is reported once`() {
        var track = Track()
        #expect(
            track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
                == [.watch(Self.exact)])
        #expect(track.move(to: 1, after: 5) == [.report(Self.first, track.fix(1)), .watch(nil)])
        #expect(track.wait(seconds: 60).isEmpty)
    }

    @Test func `a request gets an already known place at once`() {
        var track = Track()
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        _ = track.move(to: 1)
        #expect(
            track.send { $0.requestFix(Self.exact, of: Self.second, now: $1) }
                == [.report(Self.second, track.fix(1))])
    }

    /// The known place is coarse, so it must not answer a request for an exact place.
    @Test func `a request that needs more precision waits for the next place`() {
        var track = Track()
        let coarse = LocationNeed(isExact: false, distance: 1_000)
        _ = track.send { $0.startUpdates(coarse, of: Self.first, now: $1) }
        _ = track.move(to: 1)
        #expect(
            track.send { $0.requestFix(Self.exact, of: Self.second, now: $1) }
                == [.watch(Self.exact)])
        #expect(
            track.move(to: 1.001, after: 5)
                == [.report(Self.second, track.fix(1.001)), .watch(coarse)])
    }

    @Test
    func `a request gets the known place if no more precise place comes within half a minute`() {
        var track = Track()
        let coarse = LocationNeed(isExact: false, distance: 1_000)
        _ = track.send { $0.startUpdates(coarse, of: Self.first, now: $1) }
        _ = track.move(to: 1)
        let known = track.fix(1)
        _ = track.send { $0.requestFix(Self.exact, of: Self.second, now: $1) }
        #expect(track.wait(seconds: 29).isEmpty)
        #expect(track.wait(seconds: 1) == [.report(Self.second, known), .watch(coarse)])
    }

    @Test func `a request without a place fails after half a minute`() {
        var track = Track()
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        #expect(track.wait(seconds: 29).isEmpty)
        #expect(
            track.wait(seconds: 1) == [.report(Self.first, .failed(.unknown)), .watch(nil)])
    }

    /// An app may call `stopUpdatingLocation()` although it has requested only one place.
    @Test func `a manager that stops updates gets neither its requested place nor a failure`() {
        var track = Track()
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        #expect(track.send { $0.stopUpdates(of: Self.first, now: $1) } == [.watch(nil)])
        #expect(track.move(to: 1, after: 5).isEmpty)
        #expect(track.wait(seconds: 60).isEmpty)
    }

    @Test func `a manager that starts updates gets no failure of its earlier request`() {
        var track = Track()
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        #expect(track.wait(seconds: 60).isEmpty)
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
    }

    /// An app may change its distance filter after it has requested one place.
    @Test func `a changed distance filter does not cancel a request for one place`() {
        let needs = [1_000, 500].map { LocationNeed(isExact: false, distance: $0) }
        var track = Track()
        _ = track.send { $0.startUpdates(needs[0], of: Self.first, now: $1) }
        _ = track.move(to: 1)
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        _ = track.send { $0.startUpdates(needs[1], of: Self.first, now: $1) }
        #expect(track.move(to: 1.001, after: 5).first == .report(Self.first, track.fix(1.001)))
    }

    @Test func `a request that waits for the user fails if the user does not answer`() {
        var track = Track(.notDetermined)
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        #expect(track.wait(seconds: 50).isEmpty, "it waits up to a minute for the user's answer")
        #expect(
            track.send { $0.permissionAnswered(.notDetermined, now: $1) }
                == [.report(Self.first, .failed(.denied))])
    }

    /// An app that asks again while no daemon answers must not lose its updates.
    @Test
    func `if the user cannot be asked, a permission stays, and an undecided app's request fails`() {
        var track = Track()
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        #expect(track.send { $0.permissionAnswered(nil, now: $1) }.isEmpty)
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
        var undecided = Track(.notDetermined)
        _ = undecided.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        #expect(
            undecided.send { $0.permissionAnswered(nil, now: $1) }
                == [.report(Self.first, .failed(.denied))])
    }

    @Test(arguments: [
        (LocationPermission.denied, LocationStatus.available, true),
        (.whenInUse, .missing, false), (.notDetermined, .missing, false),
        (.always, .denied, true), (.always, .off, false),
    ])
    func `without a permission or a location service, updates and requests fail`(
        permission: LocationPermission, status: LocationStatus, isEnabled: Bool
    ) {
        var track = Track(nil)
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        _ = track.send { $0.requestFix(Self.exact, of: Self.second, now: $1) }
        let state = LocationState(permission: .denied, isEnabled: isEnabled)
        let effects = track.send { $0.started(permission, status, now: $1) }
        #expect(effects.contains(.report(nil, .state(state))))
        #expect(effects.contains(.report(Self.first, .failed(.denied))))
        #expect(effects.contains(.report(Self.second, .failed(.denied))))
        #expect(
            track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
                .contains(.report(Self.first, .failed(.denied))),
            "each start of updates gets the error, not only the first")
    }

    @Test func `updates fail without GeoClue's agent, and continue when the agent runs`() {
        var track = Track()
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        #expect(
            track.send { $0.locationReported(.statusChanged(.noAgent), now: $1) }
                == [.report(Self.first, .failed(.unknown))])
        #expect(track.send { $0.locationReported(.statusChanged(.available), now: $1) }.isEmpty)
        #expect(track.move(to: 1) == [.report(Self.first, track.fix(1))])
    }

    @Test
    func `a crossing also reports the new side, and a start inside the region is no crossing`() {
        var track = Track()
        #expect(
            track.send { $0.monitor(Self.shop, now: $1) }.first
                == .report(nil, .monitoring(Self.shop)))
        func reports(_ effects: [Effect]) -> [Effect] {
            effects.filter { if case .report = $0 { true } else { false } }
        }
        #expect(reports(track.move(to: 0)).isEmpty)
        #expect(reports(track.move(to: 0.01)).isEmpty, "a crossing is confirmed only after 20 s")
        #expect(
            reports(track.wait(seconds: 20)) == [
                .report(nil, .side(Self.shop, isInside: false)),
                .report(nil, .crossed(Self.shop, isInside: false)),
            ])
        let effects = track.send { $0.stopMonitoring("there", now: $1) }
        #expect(effects == [.watch(nil)])
    }

    @Test func `a single wild fix is no crossing, even if the app then watches a new region`() {
        var track = Track()
        _ = track.send { $0.monitor(Self.shop, now: $1) }
        _ = track.move(to: 0)
        _ = track.move(to: 1, after: 5)
        _ = track.wait(seconds: 20)
        let other = NotificationRegion(identifier: "other", latitude: 5, longitude: 5, radius: 200)
        let effects = track.send { $0.monitor(other, now: $1) } + track.wait(seconds: 20)
        #expect(effects == [.report(nil, .monitoring(other))])
    }

    /// The wild fix would put the device on the wrong side.
    @Test func `a query after a wild fix waits for the next fix`() {
        var track = Track()
        _ = track.send { $0.monitor(Self.shop, now: $1) }
        _ = track.move(to: 0)
        _ = track.move(to: 1, after: 5)
        _ = track.wait(seconds: 20)
        let there = NotificationRegion.around(0, 1)
        #expect(track.send { $0.requestSide(of: there, for: Self.first, now: $1) }.isEmpty)
        let answer = Effect.report(Self.first, .side(there, isInside: false))
        #expect(track.move(to: 0, after: 5).contains(answer))
    }

    @Test func `a query for a side is answered as soon as a place makes the side certain`() {
        var track = Track()
        _ = track.send { $0.requestSide(of: Self.shop, for: Self.first, now: $1) }
        #expect(
            track.move(to: 0, after: 5).first
                == .report(Self.first, .side(Self.shop, isInside: true)))
        _ = track.send { $0.startUpdates(Self.exact, of: Self.first, now: $1) }
        _ = track.move(to: 0.01)
        #expect(
            track.send { $0.requestSide(of: Self.shop, for: Self.second, now: $1) }
                .contains(.report(Self.second, .side(Self.shop, isInside: false))),
            "the machine still knows the last place, so it answers at once")
    }

    @Test func `a query for a side is answered as unknown after half a minute`() {
        var track = Track()
        _ = track.send { $0.requestSide(of: Self.shop, for: Self.first, now: $1) }
        #expect(track.wait(seconds: 29).isEmpty)
        #expect(
            track.wait(seconds: 1).first
                == .report(Self.first, .side(Self.shop, isInside: nil)))
    }

    /// If time in suspend counted, both waits would end before the location service could run.
    @Test func `a suspend does not shorten the wait for a place or a side`() {
        var track = Track()
        _ = track.send { $0.requestFix(Self.exact, of: Self.first, now: $1) }
        _ = track.send { $0.requestSide(of: Self.shop, for: Self.second, now: $1) }
        let alarm = track.now.boot + 3_630_000_000
        track.now.suspended += 3_600_000_000
        #expect(track.wait(seconds: 3_610).isEmpty)
        #expect(track.machine.advance(now: track.now) == [.arm(alarm)])
        #expect(
            track.wait(seconds: 20) == [
                .report(Self.first, .failed(.unknown)),
                .report(Self.second, .side(Self.shop, isInside: nil)), .watch(nil),
            ])
    }

    @Test func `a side query beyond the limit of open queries is answered as unknown at once`() {
        var track = Track(.notDetermined)
        for _ in 0..<Limits.regions.most {
            #expect(track.send { $0.requestSide(of: Self.shop, for: Self.first, now: $1) }.isEmpty)
        }
        #expect(
            track.send { $0.requestSide(of: Self.shop, for: Self.second, now: $1) }
                == [.report(Self.second, .side(Self.shop, isInside: nil))])
        _ = track.send { $0.permissionAnswered(.whenInUse, now: $1) }
        let answers = track.move(to: 0, after: 5).filter {
            $0 == .report(Self.first, .side(Self.shop, isInside: true))
        }
        #expect(answers.count == Limits.regions.most, "the earlier queries still get their answers")
    }

    @Test func `neither an invalid region nor the region of a denied app is watched`() {
        var track = Track()
        let invalid = NotificationRegion.around(91, 0)
        #expect(
            track.send { $0.monitor(invalid, now: $1) }
                == [.report(nil, .monitoringFailed(invalid, .unusable))])
        var denied = Track(.denied)
        #expect(
            denied.send { $0.monitor(Self.shop, now: $1) }
                == [.report(nil, .monitoringFailed(Self.shop, .denied))])
    }

    /// The app still gets reports about the watched region, so the list must keep it.
    @Test
    func `a watched region stays in the list if an invalid region with its name is refused`()
        async throws
    {
        let reactor = Reactor.started("test")
        defer { reactor.stop() }
        let location = AppLocation(
            app: .tocsin, source: RecordingLocation(),
            permissions: LocationPermissions(read: { .whenInUse }, request: { _ in .whenInUse }),
            clock: ManualClock(), reactor: reactor)
        let reports = Recording<LocationReport>()
        _ = location.connect { reports.append($0) }
        location.monitor(Self.shop)
        try await reports.first("the watch") { $0 == .monitoring(Self.shop) }
        let invalid = NotificationRegion.around(91, 0)
        location.monitor(invalid)
        try await reports.first("the failure") { $0 == .monitoringFailed(invalid, .unusable) }
        #expect(location.monitoredRegions == [Self.shop])
    }

    @Test func `regions stay watched while location is off, and their known sides are forgotten`() {
        var track = Track()
        _ = track.send { $0.monitor(Self.shop, now: $1) }
        _ = track.move(to: 0)
        let effects =
            track.send { $0.locationReported(.statusChanged(.off), now: $1) }
            + track.send { $0.locationReported(.turnedOff, now: $1) }
        let off = LocationState(permission: .denied, isEnabled: false)
        #expect(effects.first == .report(nil, .state(off)))
        #expect(!effects.contains(.report(nil, .monitoringFailed(Self.shop, .denied))))
        _ = track.send { $0.locationReported(.statusChanged(.available), now: $1) }
        _ = track.move(to: 0.01)
        let left = Effect.report(nil, .crossed(Self.shop, isInside: false))
        #expect(!track.wait(seconds: 30).contains(left))
        _ = track.move(to: 0)
        let entered = Effect.report(nil, .crossed(Self.shop, isInside: true))
        #expect(track.wait(seconds: 30).contains(entered))
    }
}
