internal import Foundation
internal import HostingSupport
package import TestSupport

/// A chapter of an article: its program on a real notification server, and the user's actions.
///
/// If a listing waits up to a minute, the chapter waits as long. Where a listing takes a date, the
/// program passes a near date.
package struct SeedChapter: Sendable {
    /// A published article on iOS notifications, by the folder of its listings in `Tests/Seeds`.
    package enum Article: String, CaseIterable, Sendable {
        case localNotificationManager = "LocalNotificationManager"
        case focusSession = "FocusSession"
        case localNotification = "HDLocalNotification"
        case hangge = "Hangge"
        case meetingNotes = "MeetingNotes"
    }

    /// The article.
    package let article: Article
    /// The name of the chapter and of its screenshot.
    package let name: String
    /// The server that shows the chapter's popups.
    package let server: DesktopServer
    private let walk: @Sendable (SeedChapter) async throws -> Void

    init(
        _ article: Article, _ name: String, on server: DesktopServer = ServerCatalog.xfce,
        _ walk: @escaping @Sendable (SeedChapter) async throws -> Void
    ) {
        self.article = article
        self.name = name
        self.server = server
        self.walk = walk
    }

    /// Every chapter that shows something.
    package static let all =
        localNotificationManager + focusSession + localNotification + meetingNotes + hangge

    /// The title of the chapter, with its article.
    package var title: String { "\(article.rawValue), \(name)" }

    /// Runs the chapter; throws if an expected popup or line of output does not appear.
    package func run() async throws {
        try await walk(self)
    }

    /// Runs a program of the article.
    func program(
        _ part: String = "", _ arguments: [String] = [], _ hosting: Hosting = .embedded,
        _ permission: RunningExample.Permission = .allowed, environment: [String: String] = [:],
        beside files: [String] = [], isRegistered: Bool = false,
        _ body: (RunningExample) async throws -> Void
    ) async throws {
        try await RunningExample.with(
            "Seed\(article.rawValue)\(part)", arguments, on: server, hosting, permission,
            environment: environment,
            beside: files.map { "Tests/Seeds/\(article.rawValue)/\($0)" },
            isRegistered: isRegistered, body)
    }

    /// Saves the screen under the name of the chapter.
    func capture(_ example: RunningExample) async throws {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        try await example.session.screenshot("seed-\(words.joined(separator: "-"))")
    }
}
