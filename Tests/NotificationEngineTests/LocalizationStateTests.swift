import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import Testing

@testable import NotificationEngine

/// An app's due requests (rows) wait while other threads read the app's translated texts.
struct LocalizationStateTests {
    private let now = ClockReading.sample()
    private let app = ApplicationID.tocsin

    /// Returns a row that is due this many milliseconds from now.
    private func row(
        _ number: Int64, after milliseconds: Int64, isLocalized: Bool = true
    ) -> ClaimedRequest {
        var request = NotificationRequest.sample("r\(number)")
        if isLocalized {
            request.content.localization = ContentLocalization(title: LocalizedText(key: "K"))
        }
        return ClaimedRequest(
            row: number, app: app, request: request, payload: Data(),
            due: DueTime(wall: now.wall.adding(microseconds: milliseconds * 1_000)))
    }

    /// Returns the row with the text that other threads read.
    private func read(_ row: ClaimedRequest) -> ClaimedRequest {
        var row = row
        row.request.content.localization = nil
        row.request.content.title = "read \(row.row)"
        return row
    }

    /// After the first read, only the first row is shown: the texts of the second row come later.
    ///
    /// A later row without translated texts must not overtake the rows before it.
    @Test func `rows that become due during a read of their app's texts begin after that read`() {
        var state = EngineState(schedule: .sample)
        _ = state.presenterBecameAvailable(now: now)
        let (first, second) = (row(1, after: 1), row(2, after: 2))
        let plain = row(3, after: 2, isLocalized: false)
        _ = state.rowsClaimed([first, second], now: now)
        let rang = state.clockRang(now: now.adding(microseconds: 1_000))
        #expect(rang.contains(.localize(app, [first])))

        let later = now.adding(microseconds: 2_000)
        // The claim of the plain row began before the read; a claim during the read would exclude
        // the app's rows.
        let waiting = state.clockRang(now: later) + state.rowsClaimed([plain], now: later)
        #expect(waiting.presented.isEmpty)
        #expect(!waiting.contains(.localize(app, [second])))

        let shown = state.rowsLocalized([read(first)], of: app, now: later)
        #expect(shown.presented.map(\.notification.request.content.title) == ["read 1"])
        #expect(shown.contains(.localize(app, [second, plain])))
        let last = state.rowsLocalized([read(second), plain], of: app, now: later)
        #expect(last.presented.map(\.notification.request.content.title) == ["read 2", "r3"])
        #expect(state.localizing.isEmpty)
    }

    @Test func `a row that is removed during a read of its app's texts is not shown`() {
        var state = EngineState(schedule: .sample)
        _ = state.presenterBecameAvailable(now: now)
        let (first, second) = (row(1, after: 0), row(2, after: 0, isLocalized: false))
        _ = state.rowsClaimed([first], now: now)
        _ = state.rowsClaimed([second], now: now)
        #expect(state.rowsWithdrawn([1, 2]).settled == [.requeued, .requeued])
        #expect(state.rowsLocalized([read(first)], of: app, now: now).presented.isEmpty)
        #expect(state.localizing.isEmpty)
    }
}
