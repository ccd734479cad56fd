import Foundation
import NotificationModel
import NotificationStore
import Reactor
import TestSupport

@testable import NotificationEngine

/// A private directory that goes with its object.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = base + "/tocsin-engine-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

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
        lock: RecordingLock? = nil, launcher: RecordingLauncher? = nil,
        step: @escaping @Sendable (EngineStep) -> Void = { _ in }
    ) async throws -> CenterEngine {
        var configuration = EngineConfiguration(
            layout: layout ?? self.layout, hosting: "embedded", version: "1.0", zones: .sample)
        configuration.limits = limits
        configuration.step = step
        configuration.media = media
        configuration.preferences = preferences
        configuration.lock = lock
        configuration.launcher = launcher
        return try await CenterEngine.start(
            configuration, presenter: presenter ?? self.presenter, clock: clock, reactor: reactor,
            dialogs: dialogs)
    }
}

extension SystemZones {
    /// Those of this machine.
    static let sample = SystemZones(environment: [:])
}

extension CalendarDates {
    static let sample = CalendarDates(zones: .sample)
}

extension FireSchedule {
    static let sample = FireSchedule(zones: .sample)
}

extension CenterEngine {
    /// Takes one request that was left.
    func take(_ left: LeftRequest, for app: ApplicationID) async throws {
        if let error = try await take([left], for: app)[0] { throw error }
    }

    /// Waits until everything that has begun is stored: nothing is on its way, and the answers of
    /// the store have been worked on.
    func rest() async throws {
        var quietRounds = 0
        while quietRounds < 3 {
            _ = try await status()
            // A click that is being stored is neither in flight nor with its app yet.
            quietRounds = state.isIdle && !isStoringEvents ? quietRounds + 1 : 0
            // Leave the thread to what is waiting for it.
            await Task.yield()
        }
    }
}

extension NotificationRequest {
    static func sample(
        _ identifier: String, _ trigger: NotificationTrigger? = nil, title: String? = nil,
        category: String = ""
    ) -> NotificationRequest {
        var content = NotificationContent(title: title ?? identifier, body: "a text")
        content.categoryIdentifier = category
        return NotificationRequest(identifier: identifier, content: content, trigger: trigger)
    }

    static func after(
        _ seconds: Double, _ identifier: String, repeats: Bool = false
    ) -> NotificationRequest {
        sample(identifier, .interval(seconds: seconds, repeats: repeats))
    }
}

extension ApplicationIdentity {
    static func sample(_ id: ApplicationID = .tocsin) -> ApplicationIdentity {
        ApplicationIdentity(id: id, name: "An App")
    }
}

extension NotificationKey {
    static func sample(_ identifier: String) -> NotificationKey {
        NotificationKey(app: .tocsin, identifier: identifier)
    }
}

/// Wall time in a zone, written as a person writes it.
func instant(_ text: String, _ zone: String = "UTC") throws -> Instant {
    let parse = Date.ISO8601FormatStyle(timeZone: TimeZone(identifier: zone) ?? .gmt)
        .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
    let date = try parse.parse(text)
    guard let instant = Instant(secondsSince1970: date.timeIntervalSince1970) else {
        throw HarnessError("\(text) is out of range")
    }
    return instant
}

extension ClockReading {
    static func sample(
        wall: Instant = ManualClock.start, boot: Int64 = 3_600_000_000, zone: String = "UTC"
    ) -> ClockReading {
        ClockReading(wall: wall, boot: boot, bootID: "first-boot", timeZone: zone)
    }
}
