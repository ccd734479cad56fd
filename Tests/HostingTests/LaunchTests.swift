import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// An app that has quit comes back by a click, and gets its response once.
@Suite struct LaunchTests {
    @Test(arguments: [
        ("default", "com.apple.UNNotificationDefaultActionIdentifier"), ("open", "open"),
    ])
    func aClickStartsTheAppThatHasQuit(button: String, action: String) async throws {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule()
            try await stage.server.click(post.id, post.key(button))
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(
                stage.lines.all == [
                    "start token - words <a b><>", "response \(action) cup 7", "acknowledged",
                ])
            #expect(try await stage.center().service.status().responseCount == 0)
        }
    }

    @Test func aDismissalAndABackgroundActionStartNothing() async throws {
        try await LaunchStage.run { stage in
            let archived = try await stage.schedule()
            try await stage.server.click(archived.id, archived.key("archive"))
            let center = try await stage.center()
            try await center.settled { _, delivered in delivered.isEmpty }
            let dismissed = try await stage.schedule()
            try await stage.server.close(dismissed.id, reason: 2)
            try await center.settled { _, delivered in delivered.isEmpty }
            #expect(try await center.service.status().responseCount == 2)
            #expect(stage.lines.all.isEmpty)
            // The app gets them when it is started by itself.
            let probe = try stage.start()
            _ = try await probe.exit()
            try await stage.report("both") { $0.filter { $0 == "acknowledged" }.count >= 1 }
            #expect(stage.lines.all.contains("response archive cup 7"))
        }
    }
}
