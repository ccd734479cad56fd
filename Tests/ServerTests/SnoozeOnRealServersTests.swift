import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The snooze button, clicked on a real server while no app is connected.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SnoozeOnRealServersTests {
    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func `a popup comes again after a click on its snooze button on dunst`(
        _ hosting: Hosting
    ) async throws {
        try await RealServer.with(ServerCatalog.dunst) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            do {
                try await snooze(center, session)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }

    private func snooze(_ center: HostedService, _ session: RealServer) async throws {
        let heard = Recording<ServiceChange>()
        _ = try await center.service.watch(nil) { heard.append($0) }
        let actions = [
            NotificationAction(identifier: "later", title: "Later", snooze: 2),
            NotificationAction(identifier: "done", title: "Done"),
        ]
        try await center.service.setCategories(
            [NotificationCategory(identifier: "tea", actions: actions)], of: center.app)
        try await center.add("tea", title: "Tea is ready") { $0.categoryIdentifier = "tea" }
        try await session.waitUntilShown("Tea is ready")
        try await session.choose("Later", of: "Tea is ready")
        let key = NotificationKey(app: center.app, identifier: "tea")
        try await heard.first("the press") { $0 == .answer(key, .custom("later")) }
        let before = heard.all.count
        try await heard.wait(for: "the second delivery") { all in
            all.dropFirst(before).contains { change in
                guard case .lists(_, let lists) = change else { return false }
                return lists.isSuperset(of: [.pending, .delivered])
            }
        }
        try await session.waitUntilShown("Tea is ready")
        try await session.choose("Done", of: "Tea is ready")
        try await center.connect()
        #expect(try await center.response(1).action == .custom("done"))
    }
}
