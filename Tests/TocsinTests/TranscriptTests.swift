import Foundation
import TestSupport
import Testing

/// The ten most frequent tasks, each as one command, as an article shows them.
@Suite(.timeLimit(.minutes(5))) struct TranscriptTests {
    private static let oven = Transcript.Fixed(
        date: "Mon 2027-03-01 09:20:00 CET", distance: "in 20 min")
    private static let standup = Transcript.Fixed(
        date: "Mon 2027-03-01 09:30:00 CET", distance: "in 30 min")
    private static let moved = Transcript.Fixed(
        date: "Mon 2027-03-01 10:00:00 CET", distance: "in 1 h")
    private static let backup = Transcript.Fixed(
        date: "Mon 2027-03-01 11:00:00 CET", distance: "in 2 h")
    private static let lunch = Transcript.Fixed(
        date: "Sun 2027-02-28 12:30:00 CET", distance: "in 1 d")

    /// Returns the article with this text in its code block.
    private static func article(_ block: String, in text: String) throws -> String {
        let (begin, end) = ("```console\n", "```\n")
        let start = try #require(text.range(of: begin)?.upperBound)
        let stop = try #require(text.range(of: end, range: start..<text.endIndex)?.lowerBound)
        return text[..<start] + block + text[stop...]
    }

    @Test func `each of the ten usual tasks is one command`() async throws {
        let bus = try PrivateBus()
        let folder = bus.directory + "/work"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("all:\n\t@echo built\n".utf8).write(to: URL(filePath: folder + "/Makefile"))
        let transcript = Transcript(environment: bus.environment, directory: folder)
        try await schedule(transcript, on: bus)
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        try await server.calls.first("what was missed") { $0.summary == "Lunch" }
        try await answer(transcript, server)
        await server.stop()
        let article = KeptText(
            path: "Sources/UserNotifications/UserNotifications.docc/CommandLine.md")
        let made = try Self.article(transcript.text, in: article.text)
        #expect(try article.isSame(as: made), "\(article.remedy)")
    }

    /// Runs the commands that need no screen; `missed` lists what the user did not see.
    private func schedule(_ transcript: Transcript, on bus: PrivateBus) async throws {
        transcript.wish("Remind me in twenty minutes.")
        try await transcript.run("tocsin in 20m Turn the oven off --id oven", ["oven": Self.oven])
        transcript.wish("Every weekday at half past nine, and let me snooze it.")
        try await transcript.run(
            "tocsin every \"weekday at 9:30\" Stand up --snooze 10m --id standup",
            ["standup": Self.standup])
        transcript.wish("Half past nine is too early.")
        try await transcript.run("tocsin move standup \"weekday at 10\"", ["standup": Self.moved])
        transcript.wish("Run a script when I click, even if that is after a reboot.")
        try await transcript.run(
            "tocsin in 2h Back up the photos --on-click ./backup.sh --id photos",
            ["photos": Self.backup])
        transcript.wish("What is coming?")
        try await transcript.run(
            "tocsin list", ["oven": Self.oven, "standup": Self.moved, "photos": Self.backup])
        transcript.wish("Never mind the oven.")
        try await transcript.run("tocsin cancel oven")
        let added = try await ProgramTests.run(
            "tocsin", ["in", "1ms", "Lunch", "--id", "lunch"], environment: bus.environment)
        #expect(added.status == 0)
        transcript.wish("Why did lunch not show?")
        try await transcript.run("tocsin missed", ["lunch": Self.lunch])
    }

    /// Runs the commands whose popups the user sees and clicks.
    private func answer(_ transcript: Transcript, _ server: ScriptedServer) async throws {
        transcript.wish("Tell me when this build is done, with a button that opens its log.")
        try await transcript.run("tocsin run --log build.log -- make")
        transcript.sees(
            try await server.calls.first("the end of the build") { $0.summary.contains("make") })
        transcript.wish("Ask me, and use the answer in a script.")
        let question = try transcript.start(
            "echo \"Hello $(tocsin send \"Your name?\" --reply --wait).\"")
        let post = try await server.calls.first("the question") { $0.summary == "Your name?" }
        transcript.sees(post)
        try await server.reply(post.id, "Anna")
        try await transcript.addOutput(question)
        transcript.wish("Silence an app.")
        try await transcript.run("tocsin settings org.example.News --deny")
    }
}
