import HostingSupport
import SeedChapters
import TestSupport
import Testing

/// The programs of published articles on iOS notifications, on a real server.
///
/// The tests run one chapter of each article.
///
/// `make demo-seeds` runs all chapters.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SeedTests {
    private static let server = ServerCatalog.xfce
    private static let names: [SeedChapter.Article: String] = [
        .localNotificationManager: "complete code", .focusSession: "after 15 seconds",
        .localNotification: "every minute", .meetingNotes: "accepted", .hangge: "11 like",
    ]

    @Test(
        .enabled(if: server.isWanted, "\(server.skipReason)"),
        arguments: SeedChapter.Article.allCases)
    func `a chapter of the article does what the article says`(
        _ article: SeedChapter.Article
    ) async throws {
        let chapter = try #require(
            SeedChapter.all.first {
                $0.article == article && $0.name == Self.names[article]
            })
        try await chapter.run()
    }

    @Test func `every article has at least one chapter`() {
        #expect(Set(SeedChapter.all.map(\.article)) == Set(SeedChapter.Article.allCases))
    }
}
