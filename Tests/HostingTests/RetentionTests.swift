import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A notification that the engine drops from the delivered list also leaves the screen.
@Suite(.timeLimit(.minutes(2))) struct RetentionTests {
    /// A click on a popup without an entry in the delivered list would reach no app.
    @Test(arguments: Hosting.allCases, [true, false])
    func `all popups of an app except the newest hundred are closed`(
        _ hosting: Hosting, tellsClosed: Bool
    ) async throws {
        var script = ServerScript()
        script.tellsClosed = tellsClosed
        try await ServiceHarness.run(hosting, script: script) { harness in
            for number in 1...130 { try await harness.center.add("r\(number)") }
            try await harness.center.settled { $0.isEmpty && $1.count == 100 }
            let closed = try await harness.server.closings.first(30)
            #expect(closed.sorted() == Array(1...30))
            let shown = await harness.server.shown
            let delivered = try await harness.service.delivered(of: harness.app)
            #expect(
                Set(shown.values.map(\.summary)) == Set(delivered.map(\.request.content.title)))
            try await harness.center.connect()
            try await harness.server.click(31, "default")
            let response = try await harness.center.response(1)
            #expect(response.notification.request.identifier == "r31")
        }
    }
}
