import NotificationModel
import NotificationStore
import StoreSupport
import Testing

/// A process may be killed between removing a notification and closing its popup.
///
/// The next process must close the popup, because a click on it would reach no app.
@Suite(.timeLimit(.minutes(2))) struct ClosingPopupTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private static func popup(_ id: UInt32) -> PresentedPopup {
        PresentedPopup(id: id, server: ":1.1")
    }

    private func deliver(_ name: String, _ id: UInt32, to store: CenterStore) async throws {
        try await store.add(.sample(name))
        try await store.deliver(.delivered(Self.popup(id)))
    }

    /// Reopens the store as after a kill; returns the store and the popups that it must close.
    private func reopenAfterKill(
        _ store: CenterStore
    ) async throws -> (
        CenterStore, [NotificationKey: PresentedPopup]
    ) {
        store.close()
        let next = try fixture.open()
        return (next, try await next.adoptThisBoot(now: fixture.now).popups)
    }

    @Test
    func `the next process closes the popups of notifications that left the delivered list`()
        async throws
    {
        var store = try fixture.open(limits: StoreLimits(delivered: 2))
        for number in 0..<4 { try await deliver("r\(number)", UInt32(number), to: store) }
        var popups: [NotificationKey: PresentedPopup]
        (store, popups) = try await reopenAfterKill(store)
        #expect(popups == [.sample("r0"): Self.popup(0), .sample("r1"): Self.popup(1)])
        store.popupsClosed(Array(popups.keys))
        let removed = try await store.removeDelivered(.identifiers(["r2"]), of: .tocsin)
        #expect(removed.keys == [.sample("r2")])
        (store, popups) = try await reopenAfterKill(store)
        #expect(popups == [.sample("r2"): Self.popup(2)], "the first two popups were closed")
        try await deliver("r2", 7, to: store)
        (store, popups) = try await reopenAfterKill(store)
        #expect(
            popups.isEmpty,
            "only popups of removed notifications are closed, and the new 'r2' stays")
        #expect(try await store.popups()[.sample("r2")] == Self.popup(7))
        store.close()
    }

    @Test func `a popup that the server was told to close is not closed again`() async throws {
        let store = try fixture.open(limits: StoreLimits(delivered: 1))
        for number in 0..<3 {
            try await deliver("r\(number)", UInt32(number), to: store)
            store.popupsClosed([.sample("r\(number - 1)")])
        }
        try await deliver("last", 9, to: store)
        let (next, popups) = try await reopenAfterKill(store)
        #expect(popups == [.sample("r2"): Self.popup(2)])
        next.close()
    }

    @Test func `the popup of a snoozed notification is closed by the next process`() async throws {
        let store = try fixture.open()
        try await deliver("a", 3, to: store)
        let snoozed = try await store.snooze(.sample("a"), by: 60_000_000, now: fixture.now)
        #expect(snoozed.wasDelivered)
        let (next, popups) = try await reopenAfterKill(store)
        #expect(popups == [.sample("a"): Self.popup(3)])
        next.close()
    }

    @Test func `the popup of a silently replaced notification is closed by the next process`()
        async throws
    {
        let store = try fixture.open()
        try await deliver("a", 3, to: store)
        try await store.add(.sample("a"))
        let summary = DueTime(after: 60_000_000, fixture.now)
        try await store.deliver(.deliveredSilently(summary: summary))
        let (next, popups) = try await reopenAfterKill(store)
        #expect(popups == [.sample("a"): Self.popup(3)])
        #expect(try await next.delivered(of: .tocsin).map(\.request.identifier) == ["a"])
        next.close()
    }

    /// A new process must read the stored list of old popups before it writes the list.
    @Test func `a start that drops an old notification also closes the popups of the last run`()
        async throws
    {
        let store = try fixture.open()
        try await deliver("removed", 1, to: store)
        try await deliver("old", 2, to: store)
        _ = try await store.removeDelivered(.identifiers(["removed"]), of: .tocsin)
        store.close()
        let next = try fixture.open()
        let later = fixture.now.adding(microseconds: 8 * 86_400_000_000)
        let retired = try await next.adoptThisBoot(now: later)
        #expect(
            retired.popups == [.sample("removed"): Self.popup(1), .sample("old"): Self.popup(2)])
        next.close()
        // This run dies before it closes a popup, so the next run closes them.
        let last = try fixture.open()
        #expect(try await last.adoptThisBoot(now: later).popups == retired.popups)
        last.close()
    }

    /// After the adoption, no other process knows the popup.
    @Test func `an adoption closes the popup that the other store left open`() async throws {
        let other = StoreLayout(directory: fixture.directory.path + "/other")
        let from = try fixture.open(layout: other)
        for (number, name) in ["gone", "here"].enumerated() {
            try await from.add(.sample(name))
            try await from.deliver(
                .delivered(PresentedPopup(id: UInt32(number), server: "server")))
        }
        _ = try await from.removeDelivered(.all, of: .tocsin)
        // The process dies here, before it closes the popups.
        from.close()
        let store = try fixture.open()
        try await store.add(.sample("here"))
        try await store.deliver(.delivered(PresentedPopup(id: 9, server: "server")))
        let retired = try #require(try await store.adopt(other, now: fixture.now))
        #expect(retired.keys == [.sample("gone")], "this store still shows 'here'")
        #expect(retired.popups == [.sample("gone"): PresentedPopup(id: 0, server: "server")])
        // This process dies here too, so the next process closes the popup.
        store.close()
        let next = try fixture.open()
        #expect(try await next.adoptThisBoot(now: fixture.now).popups == retired.popups)
        next.close()
    }

    /// An app may die between a silent replacement and the close of the former popup.
    @Test func `the popup of a notification that the other store replaced silently is closed`()
        async throws
    {
        let other = StoreLayout(directory: fixture.directory.path + "/other")
        let from = try fixture.open(layout: other)
        let popup = PresentedPopup(id: 3, server: "server")
        try await from.add(.sample("a"))
        try await from.deliver(.delivered(popup))
        try await from.add(.sample("a"))
        try await from.deliver(.deliveredSilently(summary: DueTime(after: 60_000_000, fixture.now)))
        from.close()
        let store = try fixture.open()
        let retired = try #require(try await store.adopt(other, now: fixture.now))
        #expect(retired.popups == [.sample("a"): popup])
        store.close()
    }

    /// Swift treats both identifiers as equal, so one popup could hide the other.
    @Test func `two popups whose identifiers differ only in their Unicode form are both kept`()
        async throws
    {
        let store = try fixture.open()
        try await deliver("\u{E9}", 1, to: store)
        try await deliver("e\u{301}", 2, to: store)
        #expect(try await store.popups().values.map(\.id).sorted() == [1, 2])
        store.close()
    }
}
