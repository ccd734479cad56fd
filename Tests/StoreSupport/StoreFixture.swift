import Foundation
package import GRDB
import NotificationEngine
package import NotificationModel
package import NotificationStore
package import TestSupport

/// A store in a temporary directory.
package final class StoreFixture: Sendable {
    package let directory: TemporaryDirectory
    package let steps = Recording<EngineStep>()
    package let heads = Recording<ScheduleHead>()
    package let now = ClockReading.sample()

    package init() throws {
        directory = try TemporaryDirectory()
    }

    package var layout: StoreLayout { StoreLayout(directory: directory.path + "/store") }

    package func open(
        limits: StoreLimits = StoreLimits(), bootID: String = "first-boot",
        layout: StoreLayout? = nil
    ) throws -> CenterStore {
        try CenterStore(
            layout: layout ?? self.layout, bootID: bootID, rules: .engine(.sample), limits: limits,
            step: { [steps] in steps.append($0) }, onSchedule: { [heads] in heads.append($0) })
    }

    /// Opens the file as another program would; the store must be closed.
    package func sqlite<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try DatabaseQueue(path: layout.database)
        defer { try? database.close() }
        return try database.writeWithoutTransaction(body)
    }

    package func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }
}

extension CenterStore {
    /// Adds a request as the engine does.
    package func add(
        _ request: NotificationRequest, app: ApplicationID = .tocsin, now: ClockReading = .sample()
    ) async throws {
        guard case .due(let due) = try FireSchedule.sample.first(of: request.trigger, now: now)
        else {
            return
        }
        let new = NewRequest(
            app: app, identifier: request.identifier, payload: try PayloadCoding.encode(request),
            due: due, files: request.content.attachments.map(\.path))
        _ = try await add([.request(new)], for: app)
    }

    /// The pending notifications, in the order in which they will fire.
    package func pending(
        of app: ApplicationID?, now: ClockReading
    ) async throws -> [PendingNotification] {
        var query = ListQuery()
        var list: [PendingNotification] = []
        repeat {
            let page = try await pendingPage(query, of: app, now: now)
            list += page.notifications
            query.after = page.next
        } while query.after != nil
        return list.sorted(by: PendingNotification.firesEarlier)
    }

    /// Returns the delivered notifications, newest first; all must fit into one page.
    package func delivered(of app: ApplicationID?) async throws -> [DeliveredNotification] {
        try await deliveredPage(ListQuery(limit: ListQuery.maximumLimit), of: app).notifications
    }

    /// The records of failed requests, oldest first, each with its reason.
    package func records() async throws -> [String] {
        try await recordPage(ListQuery(limit: ListQuery.maximumLimit), of: nil).notifications
            .reversed().map { "\($0.app?.rawValue ?? "") \($0.identifier): \($0.message)" }
    }

    package func identifiers(of app: ApplicationID? = .tocsin) async throws -> [String] {
        try await pending(of: app, now: .sample()).map(\.request.identifier)
    }

    /// Takes up to 64 due requests for delivery, and stores the outcome; returns their identifiers.
    @discardableResult
    package func deliver(
        _ outcome: Settlement.Outcome = .delivered(nil), now: ClockReading = .sample()
    ) async throws -> [String] {
        let claimed = try await claim(limit: 64, excluding: [], now: now)
        for one in claimed {
            try await settle(
                [
                    Settlement(claimed: one, outcome: outcome, date: now.wall)
                ], now: now)
        }
        return claimed.map(\.request.identifier)
    }

    /// Records a response to a delivered notification; returns nil if the notification is gone.
    package func respond(
        _ action: NotificationResponse.Action, to key: NotificationKey,
        activationToken: String? = nil, isKept: Bool = true
    ) async throws -> NotificationResponse? {
        guard let notification = try await notification(key) else { return nil }
        let response = NotificationResponse(
            id: nextResponseID(), notification: notification, action: action,
            activationToken: activationToken)
        return try await record(response, isKept: isKept)
    }
}
