import DesktopIntegration
import Foundation
import NotificationModel
import Reactor
import TestSupport
import Testing

/// Dialog programs written by the test, in a `PATH` that contains nothing else.
@Suite(.timeLimit(.minutes(2))) struct ProgramDialogsTests {
    /// A folder with programs, removed with this object.
    private final class Programs: Sendable {
        let folder: String
        let reactor = Reactor.started("dialogs")

        init(_ programs: [String: String]) async throws {
            folder = NSTemporaryDirectory() + "dialogs-" + UUID().uuidString
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for (name, script) in programs {
                try await ShellScript.write(script, to: "\(folder)/\(name)")
            }
        }

        deinit {
            reactor.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }

        func dialogs(_ more: [String: String] = ["DISPLAY": ":7"]) -> ProgramDialogs {
            let environment = ["PATH": folder, "FOLDER": folder].merging(more) { $1 }
            return ProgramDialogs(reactor: reactor) { environment }
        }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
    }

    private static let choice = Dialog(.choice(accept: "Yes", refuse: "No"), title: "T", text: "x")
    private static let question = Dialog(.text(accept: "Send"), title: "T", text: "x")
    private static let report = "for a in \"$@\"; do echo \"<$a>\"; done >\"$FOLDER/said\""

    @Test func `the answer to a text dialog is the program's output`() async throws {
        let programs = try await Programs([
            "zenity": "\(Self.report)\necho \"it's $((1)) $DISPLAY\"; exit 10"
        ])
        let answer = try await programs.dialogs().answer(to: Self.question)
        #expect(answer == .accepted(text: "it's 1 :7"))
        #expect(
            try programs.text("said") == "<--entry>\n<--title=T>\n<--text=x>\n<--ok-label=Send>\n")
    }

    @Test func `no text is ever read by a shell`() async throws {
        let programs = try await Programs(["zenity": "\(Self.report)\nexit 11"])
        let dialog = Dialog(
            .choice(accept: "$(touch $FOLDER/a)", refuse: "`touch b`"), title: "; touch c\u{0}d",
            text: "-x --text=\u{1B}[1m' \" $HOME")
        #expect(try await programs.dialogs().answer(to: dialog) == .refused)
        let said = try programs.text("said")
        #expect(said.contains("<--ok-label=$(touch $FOLDER/a)>"))
        #expect(said.contains("<--title=; touch c d>"))
        #expect(said.contains("<--text=-x --text= [1m' \" $HOME>"))
    }

    @Test func `the program's exit status gives the user's choice`() async throws {
        for (status, answer) in [
            (10, DialogAnswer.accepted(text: "")), (11, .refused), (12, .closed), (1, .closed),
        ] {
            let programs = try await Programs(["zenity": "exit \(status)"])
            #expect(try await programs.dialogs().answer(to: Self.choice) == answer)
        }
        let killed = try await Programs(["zenity": "kill -9 $$"])
        #expect(try await killed.dialogs().answer(to: Self.choice) == .closed)
    }

    @Test func `Plasma uses kdialog if both programs are installed`() async throws {
        let programs = try await Programs(["zenity": "exit 11", "kdialog": "exit 0"])
        #expect(try await programs.dialogs().answer(to: Self.choice) == .refused)
        let plasma = programs.dialogs(["WAYLAND_DISPLAY": "w", "XDG_CURRENT_DESKTOP": "KDE"])
        #expect(try await plasma.answer(to: Self.choice) == .accepted(text: ""))
        let alone = try await Programs(["kdialog": "echo typed"])
        #expect(try await alone.dialogs().answer(to: Self.question) == .accepted(text: "typed"))
    }

    @Test func `the error names what is missing: a dialog program or a display`() async throws {
        let programs = try await Programs([:])
        let none = await #expect(throws: NotificationError.self) {
            try await programs.dialogs().answer(to: Self.choice)
        }
        #expect(none?.message.contains("Install zenity or kdialog") == true)
        let blind = await #expect(throws: NotificationError.self) {
            try await programs.dialogs([:]).answer(to: Self.choice)
        }
        #expect(blind?.message.contains("DISPLAY") == true)
    }

    @Test func `a cancelled dialog ends with all processes that it started`() async throws {
        // The pipe closes when the shell and its child have both ended.
        let script = "exec 3>\"$FOLDER/pid\"; echo $$ >&3; /bin/sleep 1000; exit"
        let programs = try await Programs(["zenity": script])
        let pipe = "\(programs.folder)/pid"
        try #require(mkfifo(pipe, 0o600) == 0)
        let started = try RunningProgram("cat", [pipe])
        let dialogs = programs.dialogs()
        let asking = Task { try await dialogs.answer(to: Self.choice) }
        let pid = try await started.lines.first(1)[0]
        asking.cancel()
        #expect(try await asking.value == .closed)
        #expect(kill(try #require(Int32(pid)), 0) != 0, "the script has ended")
        #expect(try await started.exit() == 0)
    }

    @Test func `a child that keeps the output open does not hold up the answer`() async throws {
        let programs = try await Programs(["zenity": "/bin/sleep 1000 & echo $!; exit 10"])
        let answer = try await programs.dialogs().answer(to: Self.question)
        guard case .accepted(let text) = answer, let child = Int32(text) else {
            Issue.record("the answer is \(answer)")
            return
        }
        #expect(kill(child, SIGKILL) == 0, "the child still runs after the answer")
    }
}
