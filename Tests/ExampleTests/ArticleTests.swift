import HostingSupport
import TestSupport
import Testing

/// The examples that follow published articles on iOS notifications, on real servers.
///
/// The tests click the examples' popups and read their output.
///
/// Serialized: otherwise a popup could expire while a busy machine delays its click.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ArticleTests {
    private static let dunst = ServerCatalog.dunst
    private static let xfce = ServerCatalog.xfce

    /// The permission is undecided, so the manager asks.
    ///
    /// Its first reminder is an hour away, so no reminder fires before the user answers.
    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `the reminder manager asks for permission and lists its scheduled requests`() async throws
    {
        try await RunningExample.with(
            "ReminderManager", ["3600"], on: Self.xfce, .embedded, .notAsked
        ) { example in
            try await example.answersPrompt("Allow")
            for id in ["reminder-1", "reminder-2", "reminder-3"] {
                try await example.prints("Notification scheduled! --- ID = \(id)")
            }
            // The manager prints its list, one request a line.
            for id in ["reminder-1", "reminder-2", "reminder-3"] {
                try await example.prints(with: "UNNotificationRequest", and: id)
            }
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: Hosting.allCases)
    func `the three reminders of the manager are shown`(_ hosting: Hosting) async throws {
        // The delay lets a slow machine start the program before the first reminder is due.
        try await RunningExample.with("ReminderManager", ["5"], on: Self.xfce, hosting) { example in
            let titles = ["Remember the milk!", "Ask Bob from accounting", "Send postcard to mom"]
            for (index, title) in titles.enumerated() {
                try await example.prints("Shown: reminder-\(index + 1)")
                try await example.session.waitUntilShown(title)
            }
            try await example.ends()
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"), arguments: Hosting.allCases)
    func `the focus timer throws its own error after the user refuses permission`(
        _ hosting: Hosting
    ) async throws {
        try await RunningExample.with("FocusTimer", ["0.5"], on: Self.dunst, hosting, .notAsked) {
            example in
            try await example.answersPrompt("Don’t Allow")
            try await example.prints("You have not allowed this app to notify you.")
            try await example.ends(with: 77)
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"), arguments: Hosting.allCases)
    func `the focus timer refuses a short repeat, removes a request and gets the click`(
        _ hosting: Hosting
    ) async throws {
        try await RunningExample.with("FocusTimer", ["0.5"], on: Self.dunst, hosting) { example in
            try await example.prints("Permission: granted")
            try await example.prints(
                "Refused: Every 20 seconds is too often: repeat at most every 60 seconds.")
            try await example.prints("Without the review: break")
            try await example.session.waitUntilShown("Take a break")
            try await example.session.chooseDefault(labelled: "Open", of: "Take a break")
            try await example.prints("Answered: break of session 7")
            try await example.ends()
            #expect(example.lines.contains { $0.hasPrefix("Scheduled: ") && $0.contains("review") })
        }
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"))
    func `the program ThirtySeconds prints the notification and its data`() async throws {
        try await RunningExample.with("ThirtySeconds", ["0.5"], on: Self.xfce) { example in
            try await example.prints(beginning: "Time Interval Notification scheduled: ")
            try await example.session.waitUntilShown("Thirty seconds")
            try await example.session.chooseDefault(labelled: "Open", of: "Thirty seconds")
            try await example.ends()
            let answer = example.lines.suffix(3).joined(separator: "\n")
            #expect(answer.contains("Thirty seconds\nThe time you asked for has passed.\n"))
            #expect(answer.contains("articleId") && answer.contains("10086"))
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"), arguments: Hosting.allCases)
    func `a UIKit app loads its page, and its notification is shown`(
        _ hosting: Hosting
    ) async throws {
        try await RunningExample.with("ShortNotice", ["0.5"], on: Self.dunst, hosting) { example in
            try await example.prints(
                "Time Interval Notification scheduled: org.tocsin.ShortNotice.page")
            try await example.session.waitUntilShown("Short notice")
            #expect(
                example.lines.filter { !$0.hasPrefix("Time Interval") } == [
                    "didFinishLaunching", "viewDidLoad", "didBecomeActive",
                ])
        }
    }

    /// An answer that the user can give to an invitation.
    enum Answer: String, CaseIterable {
        case accept, decline, open, dismiss

        var decision: String {
            switch self {
            case .accept: "ada accepts staff-tuesday."
            case .decline: "ada declines staff-tuesday."
            case .open: "ada opened staff-tuesday: the invitation stays open."
            case .dismiss: "ada dismissed staff-tuesday: the invitation stays open."
            }
        }
    }

    @Test(.enabled(if: dunst.isWanted, "\(dunst.skipReason)"), arguments: Answer.allCases)
    func `the program gets each answer to an invitation on dunst`(_ answer: Answer) async throws {
        try await self.answer(answer, on: Self.dunst, .daemon)
    }

    @Test(.enabled(if: xfce.isWanted, "\(xfce.skipReason)"), arguments: Answer.allCases)
    func `the program gets each answer to an invitation on Xfce`(_ answer: Answer) async throws {
        try await self.answer(answer, on: Self.xfce, .embedded)
    }

    private func answer(
        _ answer: Answer, on server: DesktopServer, _ hosting: Hosting
    ) async throws {
        try await RunningExample.with("MeetingInvitation", ["0.2"], on: server, hosting) {
            example in
            let title = "Weekly staff meeting"
            try await example.session.waitUntilShown(title)
            switch answer {
            case .accept: try await example.session.choose("Accept", of: title)
            case .decline: try await example.session.choose("Decline", of: title)
            case .open: try await example.session.chooseDefault(labelled: "Open", of: title)
            case .dismiss: try await example.session.dismiss(title)
            }
            try await example.prints(answer.decision)
            try await example.ends()
        }
    }
}
