import Foundation
import NotificationModel
import Reactor
import StoreSupport
import TestSupport

@testable import NotificationEngine
@testable import NotificationStore

/// An engine over a real store, with a clock and a server that the test turns.
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
        step: @escaping @Sendable (EngineStep) -> Void = { _ in }
    ) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: layout ?? self.layout, hosting: hosting, version: "1.0", zones: .sample)
        configuration.limits = limits
        configuration.step = step
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
    /// Takes one request that was left.
    func importEntry(_ left: InboxEntry, for app: ApplicationID) async throws {
        if let error = try await importEntries([left], for: app)[0] { throw error }
    }

    /// Waits until everything that has begun is stored: nothing is on its way, and the answers of
    /// the store have been worked on.
    func rest() async throws {
        _ = try await status()
        await untilAtRest()
    }
}

extension Delivery {
    /// A delivery of a claimed row whose request is called by the row's number.
    static func sample(_ row: Int64, of app: ApplicationID) -> Delivery {
        let claimed = ClaimedRequest(
            row: row, app: app, request: .sample("\(row)"), payload: Data(),
            due: DueTime(wall: ManualClock.start))
        return Delivery(claimed, stage: .localizing, date: ManualClock.start)
    }
}
