import Foundation
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport

@testable import NotificationEngine

/// An engine over a real store, with a clock and a server that the test controls.
final class EngineFixture: Sendable {
    let directory: TemporaryDirectory
    let clock: ManualClock
    let presenter: RecordingPresenter
    let reactor = Reactor.started("test")

    init(
        clock: ManualClock = ManualClock(), presenter: RecordingPresenter = RecordingPresenter()
    ) throws {
        directory = try TemporaryDirectory()
        self.clock = clock
        self.presenter = presenter
    }

    deinit {
        reactor.stop()
    }

    var layout: StoreLayout { StoreLayout(directory: directory.path + "/store") }

    func start(
        limits: StoreLimits = StoreLimits(), presenter: RecordingPresenter? = nil,
        layout: StoreLayout? = nil, dialogs: RecordingDialogs? = nil,
        media: RecordingMedia? = nil, preferences: RecordingPreferences? = nil,
        lock: RecordingLock? = nil, location: RecordingLocation? = nil,
        launcher: RecordingLauncher? = nil,
        hosting: String = "embedded",
        step: @escaping @Sendable (EngineStep) -> Void = { _ in },
        settled: @escaping @Sendable ([Settlement]) -> Void = { _ in }
    ) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: layout ?? self.layout, hosting: hosting, version: "1.0", zones: .sample)
        configuration.limits = limits
        configuration.step = step
        configuration.settled = settled
        configuration.media = media
        configuration.preferences = preferences
        configuration.lock = lock
        configuration.location = location
        configuration.launcher = launcher
        return try await CenterEngine.start(
            configuration, presenter: presenter ?? self.presenter, clock: clock, reactor: reactor,
            dialogs: dialogs)
    }
}

extension CenterEngine {
    /// Imports one request of the inbox.
    func importEntry(_ left: InboxEntry, for app: ApplicationID) async throws {
        if let error = try await importEntries([left], for: app)[0] { throw error }
    }

    /// Waits until all begun work is stored.
    ///
    /// At that time no delivery is on its way, and the engine has handled the answers of the store.
    func rest() async throws {
        _ = try await status()
        await untilAtRest()
    }
}

// Members that tests use in addition to the machines in `state`.
extension CenterEngine {
    /// The earliest due time on each clock, as the engine knows it.
    var head: ScheduleHead { state.head }

    /// The identifiers of the categories that the engine keeps in memory.
    func knownCategories(of app: ApplicationID) -> Set<String> {
        Set(state[app].categories.keys)
    }

    /// Reads the stored values of all apps again.
    func reloadTables() async throws {
        try await loadTables()
    }

    /// How many apps the engine keeps in memory.
    var appCount: Int { state.apps.count }

    /// Reports an alarm to the engine before the alarm is due.
    func ringsEarly() {
        clockReported(.alarm)
    }

    /// Reads files of an app as the engine does.
    func readFiles<Value: Sendable>(
        of app: ApplicationID, within limit: Duration, _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        await files.result(for: app.rawValue, within: limit, work)
    }
}

/// The popup that asks the user for an app's permission, and its buttons.
enum PermissionPopup {
    static let allow = PermissionPrompt.allow
    static let deny = PermissionPrompt.deny

    static func key(of app: ApplicationID) -> NotificationKey { PermissionPrompt.key(of: app) }
}

extension Delivery {
    /// Returns a delivery of a claimed row; the row's number is the request's identifier.
    static func sample(_ row: Int64, of app: ApplicationID) -> Delivery {
        let claimed = ClaimedRequest(
            row: row, app: app, request: .sample("\(row)"), payload: Data(),
            due: DueTime(wall: ManualClock.start))
        return Delivery(claimed: claimed, date: ManualClock.start, stage: .localizing)
    }
}
