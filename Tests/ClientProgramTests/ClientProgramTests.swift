import Foundation
import TestSupport
import Testing

/// Programs of a package that depends on ours, linked dynamically and statically.
///
/// `make test-clients` builds them. Each program runs on a private bus, gets responses, and prints
/// the expected lines.
@Suite(
    .enabled(if: ClientBuild.all.count > 0, "run `make test-clients`, which builds them"),
    .timeLimit(.minutes(5)))
struct ClientProgramTests {
    @Test(arguments: ClientBuild.all)
    func `a manager with completion handlers gets every response`(_ build: ClientBuild) async throws
    {
        try await ClientRun.run("Callbacks", of: build) { run in
            let first = try await run.popup(1)
            #expect(first.summary == "Time for Vitamin")
            #expect(first.actions.map(\.label).prefix(2) == ["Taken", "Snooze"])
            try await run.server.reply(first.id, "Fine & well")
            let second = try await run.popup(2)
            try await run.server.click(second.id, "default")
            let third = try await run.popup(3)
            try await run.click(third, label: "Snooze")
            let fourth = try await run.popup(4)
            try await run.click(fourth, label: "Taken")
            let shown = Array(repeating: "will present Time for Vitamin", count: 4)
            try await run.prints(
                shown + [
                    "granted: true", "permission is true", "authorized: true", "alerts: true",
                    "the image is missing: 100", "every 30 seconds is refused",
                    "pharmacy: scheduled", "dates: 3", "pending: 4, regions: [\"pharmacy\"]",
                    "after cancelling: 3",
                    "note on Vitamin: Fine & well", "open pillbox, Vitamin", "snoozed Vitamin",
                    "again in 600 s", "took Vitamin", "left: 0", "location is not available",
                ])
        }
    }

    @Test(arguments: ClientBuild.all)
    func `an async manager gets every response`(_ build: ClientBuild) async throws {
        try await ClientRun.run("AsyncAwait", of: build) { run in
            let first = try await run.popup(1)
            #expect(first.body.contains("Ann, Ben in Room 2"))
            try await run.click(first, label: "Accept")
            try await run.server.close(try await run.popup(2).id, reason: 2)
            try await run.server.click(try await run.popup(3).id, "default")
            try await run.server.reply(try await run.popup(4).id, "No time")
            try await run.prints([
                "authorized: true", "the date lies in the past", "refused: true", "pending: 4",
                "accepted", "dismissed", "opened", "declined: No time", "left: 0",
            ])
        }
    }

    @Test(arguments: ClientBuild.all)
    func `a manager behind a protocol gets every response`(_ build: ClientBuild) async throws {
        try await ClientRun.run("Habits", of: build) { run in
            try await run.click(try await run.popup(1), label: "Done")
            try await run.prints([
                "permission: granted", "set: no error", "run.2 7", "run.6 7", "done run: 1 more",
                "left: 0",
            ])
        }
    }

    @Test(arguments: ClientBuild.all)
    func `a Swift 6 program gets the response`(_ build: ClientBuild) async throws {
        try await ClientRun.run("SwiftSix", of: build) { run in
            try await run.click(try await run.popup(1), label: "Water")
            try await run.prints([
                "authorized", "roses, ivy, moss", "water ivy", "left: 0", "controller: 0",
            ])
        }
    }

    @Test(arguments: ClientBuild.all)
    func `a program on the main actor gets the response`(_ build: ClientBuild) async throws {
        try await ClientRun.run("MainActorApp", of: build) { run in
            try await run.server.click(try await run.popup(1).id, "default")
            try await run.prints([
                "granted: true", "alerts: true", "10 minutes are over", "true", "left: 0",
            ])
        }
    }

    /// A program that only schedules needs no libcurl.
    @Test func `a static program needs no Swift library and no curl`() async throws {
        let build = try #require(ClientBuild.all.first { $0.name == "static" })
        let text = try await RunningProgram.run("ldd", [build.path(of: "SwiftSix")])
        #expect(text.contains("libdbus-1.so"))
        for library in ["libswift", "libFoundation", "libcurl"] {
            #expect(!text.contains(library), "\(text)")
        }
    }

    /// Returns the symbols of a program whose names contain this text, as `nm` prints them.
    private func symbols(
        of program: String, in build: ClientBuild, _ text: String
    ) async throws
        -> String
    {
        try await RunningProgram.run(
            "sh", ["-c", "nm \"$0\" | grep -F \"$1\" || true", build.path(of: program), text])
    }

    @Test(arguments: ClientBuild.all)
    func `a program without UIKit links no code of UIKit`(_ build: ClientBuild) async throws {
        #expect(try await symbols(of: "SwiftSix", in: build, "$s17UserNotifications") != "")
        #expect(try await symbols(of: "SwiftSix", in: build, "$s5UIKit") == "")
    }

    /// CoreLocation refers to the code for locations weakly, so a linker might leave the code out.
    @Test(arguments: ClientBuild.all)
    func `a program with a location manager links the code that provides the location`(
        _ build: ClientBuild
    ) async throws {
        let symbol = try await symbols(of: "Callbacks", in: build, "tocsin_provide_location")
        #expect(symbol.contains(" T "), "\(symbol)")
    }

    @Test(arguments: ClientBuild.withDumps)
    func `swift-custom-dump finds UIKit and UserNotifications, and prints their values`(
        _ build: ClientBuild
    ) async throws {
        #expect(try await symbols(of: "Dumps", in: build, "$s5UIKit") != "")
        let program = try RunningProgram(build.path(of: "Dumps"))
        #expect(try await program.exit() == 0, "\(program.said)")
        try await program.lines.untilFinished()
        #expect(
            program.lines.all == [
                "Set([", "  UNAuthorizationOptions.alert", "])",
                "Set([", "  UIControl.State.normal,", "  UIControl.State.selected", "])",
            ])
    }
}
