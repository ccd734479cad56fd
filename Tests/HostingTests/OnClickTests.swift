import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A click runs a command that the tool stored before it ended.
@Suite(.timeLimit(.minutes(5))) struct OnClickTests {
    @Test func `a click runs the command in the directory from which the tool was called`()
        async throws
    {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule(
                "--on-click",
                "printf '%s|' \"$PWD\" \"$TOCSIN_ID\" \"$TOCSIN_APP\" "
                    + "\"$TOCSIN_ACTION\" \"$TOCSIN_REPLY\" \"${XDG_ACTIVATION_TOKEN-none}\" "
                    + ">>report; echo >>report")
            #expect(try stage.commandFile.contains("TOCSIN_ID"))
            try await stage.server.click(post.id, "default")
            try await stage.report("the command") { !$0.isEmpty }
            #expect(
                stage.lines.all == [
                    "\(stage.bus.directory)|tea|org.tocsin.Tocsin|default||none|"
                ])
            // The tool has handled the response, so the command's line in the file is gone.
            try await stage.untilNothingIsKept()
        }
    }

    @Test func `a command has the umask and core limit of the session, not the daemon's`()
        async throws
    {
        let ours = try await RunningProgram.run("sh", ["-c", "echo $(umask) $(ulimit -c)"])
        try await LaunchStage.run { stage in
            let post = try await stage.schedule(
                "--on-click", "echo $(umask) $(ulimit -c) >>report")
            try await stage.server.click(post.id, "default")
            try await stage.report("the command") { !$0.isEmpty }
            #expect(stage.lines.all == [ours])
        }
    }

    @Test func `a button runs its command after the daemon was killed and started again`()
        async throws
    {
        try await LaunchStage.run { stage in
            let post = try await stage.schedule(
                "-a", "Back Up", "-A", "yes=Yes", "-A", "no=No",
                "--on", "yes=echo \"$TOCSIN_APP $TOCSIN_ACTION\" >>report",
                "--on-click", "echo default >>report")
            try await stage.killDaemon()
            try await stage.startDaemon()
            try await stage.server.click(post.id, post.key("yes"))
            try await stage.report("the command") { !$0.isEmpty }
            #expect(stage.lines.all == ["dev.back-up yes"])
            try await stage.untilNothingIsKept()
        }
    }

    @Test func `a click's command is listed, and is removed with its notification`() async throws {
        try await LaunchStage.run { stage in
            try await stage.tocsin(
                "schedule", "Tea", "--in", "1h", "--id", "tea", "-A", "yes=Yes", "--on",
                "yes=make tea", "--on-click", "xdg-open tea.html")
            try await stage.tocsin("schedule", "Plain", "--in", "2h", "--id", "plain")
            // The column RUNS is the last one; the second notification has no command.
            let table = try await stage.tocsin("list", "--commands").split(separator: "\n")
            try #require(table.count == 3, "\(table)")
            #expect(table[0].split(separator: " ") == ["#", "ID", "WHEN", "TIME", "TITLE", "RUNS"])
            #expect(table[1].hasSuffix("  Tea    click: xdg-open tea.html; yes: make tea"))
            #expect(table[2].trimmingCharacters(in: .whitespaces).hasSuffix("  Plain  -"))
            let objects = try await stage.tocsin("list", "--commands", "--json")
                .split(separator: "\n")
            try #require(objects.count == 2, "\(objects)")
            #expect(
                objects[0].hasSuffix(
                    #","commands":{"click":["/bin/sh","-c","xdg-open tea.html"],"actions":{"yes":"#
                        + #"["/bin/sh","-c","make tea"]},"directory":"\#(stage.bus.directory)"}}"#),
                "\(objects[0])")
            #expect(objects[1].hasSuffix(#","commands":null}"#))
            #expect(try await !stage.tocsin("list").contains("make tea"))
            try await stage.tocsin("remove", "tea")
            #expect(try stage.commandFile.isEmpty)
        }
    }

    @Test func `a request removes the click command of the request that it replaces`()
        async throws
    {
        try await LaunchStage.run { stage in
            try await stage.tocsin(
                "schedule", "Tea", "--in", "1h", "--id", "tea", "--on-click", "true")
            try await stage.tocsin("schedule", "Tea", "--in", "1h", "--id", "tea")
            #expect(try stage.commandFile.isEmpty)
        }
    }

    @Test func `a waiting caller gets its response while another notification has a command`()
        async throws
    {
        try await LaunchStage.run { stage in
            let other = try await stage.schedule("--on-click", "echo run >>report")
            let send = try RunningProgram(
                try HostedService.program("tocsin"), ["send", "Ask", "--wait"],
                environment: stage.bus.environment)
            let asked = try await stage.server.calls.first("the question") { $0.summary == "Ask" }
            try await stage.center().settled { _, delivered in delivered.count == 2 }
            try await stage.server.click(asked.id, "default")
            #expect(try await send.exit() == 0)
            #expect(stage.lines.all.isEmpty)
            try await stage.server.click(other.id, "default")
            try await stage.report("the command") { $0 == ["run"] }
        }
    }

    /// `make install` writes such a desktop file.
    ///
    /// The file names the tool's path, so the tool does not send its path to the daemon.
    @Test func `a click on a button starts the tool by the tool's installed desktop file`()
        async throws
    {
        try await LaunchStage.run { stage in
            let tool = try HostedService.program("tocsin")
            try stage.installEntry(
                "org.tocsin.Tocsin",
                """
                [Desktop Entry]
                Type=Application
                Name=Tocsin
                Exec="\(tool)" respond
                X-Tocsin-BackgroundExec="\(tool)" respond
                """)
            let post = try await stage.schedule("-A", "yes=Yes", "--on", "yes=echo run >>report")
            try await stage.server.click(post.id, post.key("yes"))
            try await stage.report("the command") { $0 == ["run"] }
            try await stage.untilNothingIsKept()
        }
    }
}

extension LaunchStage {
    /// Runs the tool in the bus's directory, and returns its output.
    @discardableResult
    fileprivate func tocsin(_ arguments: String...) async throws -> String {
        try await tocsin(arguments)
    }

    private func tocsin(_ arguments: [String]) async throws -> String {
        // A click runs a stored command in the directory from which the tool was called.
        try await RunningProgram.run(
            "sh",
            ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", bus.directory]
                + [try HostedService.program("tocsin")] + arguments,
            environment: bus.environment)
    }

    /// Makes the tool schedule the notification `tea`; returns its popup once it is stored.
    fileprivate func schedule(_ options: String...) async throws -> NotifyCall {
        let count = server.calls.all.count
        _ = try await tocsin(["schedule", "Tea", "--in", "50ms", "--id", "tea"] + options)
        let calls = try await server.calls.wait(for: "the popup") { $0.count > count }
        try await center().settled { _, delivered in
            delivered.contains { $0.request.identifier == "tea" }
        }
        return calls[count]
    }

    /// The text of the tool's command file; throws if the file's mode is not 0600.
    fileprivate var commandFile: String {
        get throws {
            let path = bus.directory + "/home/.local/state/tocsin/commands.jsonl"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            guard mode as? Int == 0o600 else { throw HarnessError("\(path) has the wrong mode") }
            return try String(contentsOfFile: path, encoding: .utf8)
        }
    }

    /// Waits until no response and no command is left.
    ///
    /// It needs no pause between two checks, because each check waits for the service.
    fileprivate func untilNothingIsKept() async throws {
        let center = try await center()
        try await polled(
            "an empty file of commands", because: "no signal tells that a response was acknowledged"
        ) {
            let count = try await center.service.status().responseCount
            return try count == 0 && commandFile.isEmpty ? () : nil
        }
    }
}
