import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport

/// A real daemon on a private bus, with a disk that a test makes fail.
struct FailingDisk {
    let bus: PrivateBus
    let shim: DiskShim
    let app: ApplicationID

    init(logs: Bool = false) async throws {
        bus = try PrivateBus()
        guard let state = bus.environment["XDG_STATE_HOME"] else {
            throw HarnessError("The private bus has no state directory.")
        }
        shim = try await DiskShim(
            folder: state + "/tocsin", in: bus.directory, logs: logs)
        app = try ApplicationID("org.tocsin.Test")
    }

    /// Starts a daemon on this disk; with `onShim` false, no operation fails.
    func daemon(onShim: Bool = true) async throws -> RunningProgram {
        try await HostedService.startDaemon(on: bus, adding: onShim ? shim.environment : [:])
    }

    func client() async throws -> any NotificationService {
        try await HostedService.client(on: bus)
    }

    /// Returns a request that is due in three hours.
    func request(_ identifier: String, title: String? = nil) -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: title ?? identifier),
            trigger: .interval(seconds: 10_800, repeats: false))
    }

    /// Kills the daemon; returns the titles by identifier that the next daemon finds on a working
    /// disk.
    func foundAfterKill(of daemon: RunningProgram) async throws -> [String: String] {
        daemon.signal(SIGKILL)
        try await daemon.exit()
        let next = try await self.daemon(onShim: false)
        let center = try await client()
        let pending = try await center.pending(of: app).map(\.request)
        next.signal(SIGTERM)
        try await next.exit()
        return Dictionary(
            pending.map { ($0.identifier, $0.content.title) }, uniquingKeysWith: { $1 })
    }
}

/// The answers to a client; they tell which requests the store must have.
struct DiskLedger {
    /// The titles of the acknowledged requests, by identifier.
    private(set) var stored: [String: String] = [:]
    /// The refused requests in order, each with its error.
    private(set) var refusals: [(identifier: String, error: NotificationError)] = []

    /// Adds or replaces a request, and records the answer.
    mutating func add(
        _ request: NotificationRequest, to center: any NotificationService, for app: ApplicationID
    ) async {
        do throws(NotificationError) {
            try await center.add(request, attachments: [], for: app)
            stored[request.identifier] = request.content.title
        } catch {
            refusals.append((request.identifier, error))
        }
    }

    /// Removes a request, and records the answer.
    mutating func remove(
        _ identifier: String, from center: any NotificationService, of app: ApplicationID
    ) async {
        do throws(NotificationError) {
            try await center.removePending(.identifiers([identifier]), of: app)
            stored[identifier] = nil
        } catch {
            refusals.append((identifier, error))
        }
    }
}
