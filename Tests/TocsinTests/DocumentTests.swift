import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import tocsin

/// Manual pages and completions, made from the definitions of the commands.
@Suite(.timeLimit(.minutes(5))) struct DocumentTests {
    @Test(.enabled(if: RunningProgram.path(of: "man") != nil, "man is not installed"))
    func `each page is well-formed and names every option`() async throws {
        let tool = try CommandInformation.tool()
        try await InstallationTests.documented { directory in
            let folder = "\(directory)/usr/share/man/man1"
            for command in tool.subcommands {
                let page = "\(folder)/tocsin-\(command.name).1"
                let text = try await RunningProgram.run(
                    "sh", ["-c", "MANWIDTH=200 MANROFFSEQ= man --warnings -l \(page) 2>&1 | cat"],
                    environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"])
                #expect(!text.contains("warning:"), "\(command.name): \(text)")
                #expect(
                    text.contains("tocsin-\(command.name) –")
                        || text.contains("tocsin-\(command.name) —"))
                for name in command.arguments.flatMap(\.names) {
                    #expect(text.contains(name), "\(command.name) \(name)")
                }
            }
        }
    }

    @Test(arguments: [("bash", "-n"), ("zsh", "-n"), ("fish", "-n")])
    func `each shell parses the script of its completions`(
        shell: String, option: String
    ) async throws {
        let files = [
            "bash": "bash-completion/completions/tocsin", "zsh": "zsh/site-functions/_tocsin",
            "fish": "fish/vendor_completions.d/tocsin.fish",
        ]
        try await InstallationTests.documented { directory in
            let path = "\(directory)/usr/share/\(files[shell] ?? "")"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for word in ["schedule", "--on-calendar", "missed", "import"] {
                #expect(text.contains(word.drop { $0 == "-" }))
            }
            try Self.requireShell(shell)
            try await RunningProgram.run(shell, [option, path])
        }
    }

    /// Cancels the test case if its shell is not installed, and prints why.
    private static func requireShell(_ name: String) throws {
        if RunningProgram.path(of: name) == nil { try Test.cancel("\(name) is not installed") }
    }

    /// Asks a shell for the completions of a command line.
    private static func completed(
        _ shell: CompletionShell, _ script: String, words: String = "",
        in environment: [String: String]
    ) async throws -> [String] {
        let folder = try #require(environment["HOME"]) + "/completions"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // Run the program, because the parser's library keeps the shell in one global variable.
        let made = try await ProgramTests.run(
            "tocsin", ["--generate-completion-script", shell.rawValue], environment: environment)
        // zsh finds the script by this name.
        try made.output.write(toFile: folder + "/_tocsin", atomically: true, encoding: .utf8)
        var variables = environment.merging(["FOLDER": folder, "WORDS": words]) { $1 }
        variables["PATH"] = "\(ProgramTests.products):/usr/bin:/bin"
        return try await RunningProgram.run(
            shell.rawValue, ["-c", script], environment: variables
        ).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static let bash = """
        source "$FOLDER/_tocsin"; COMP_WORDS=(tocsin $WORDS)
        [[ $WORDS = *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="tocsin $WORDS"; COMP_POINT=${#COMP_LINE}
        _tocsin tocsin "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    private static let fish = """
        source $FOLDER/_tocsin; complete -C"tocsin $WORDS" | string split -f1 \\t; true
        """
    /// Types the words into a terminal of zsh and presses Tab; the completions are the arguments of
    /// `compadd`.
    private static let zsh = """
        cat > $HOME/.zshrc <<'END'
        PS1=; fpath=($FOLDER $fpath); autoload -U compinit; compinit -u -d $HOME/dump; offered=()
        compadd() {
          # Calls that fill arrays offer nothing.
          if [[ " ${(j: :)@[1,(i)(-|--)]} " != *\\ -(O|A|D)\\ * ]]; then
            local -a these; builtin compadd -O these "$@"; offered+=("${these[@]}")
          fi
          builtin compadd "$@"
        }
        tell() { print -r -- ${(F)${(u)offered}} > $HOME/offered; print -rn -- END-OF-OFFERS }
        comppostfuncs=(tell); print -rn -- READY-TO-ASK
        END
        zmodload zsh/zpty
        zpty asked "ZDOTDIR=$HOME zsh -i"; zpty -r asked said '*READY-TO-ASK*'
        zpty -w -n asked "tocsin $WORDS"$'\\t'; zpty -r asked said '*END-OF-OFFERS*'
        zpty -d asked; cat $HOME/offered
        """

    /// The words of command lines, and all completions that each shell must offer for them.
    private static let questions: [(words: String, offers: Set<String>)] = [
        ("s", ["send", "schedule", "show", "skip", "snooze", "settings"]),
        ("canc", ["cancel"]), ("cancel te", ["tea", "team"]), ("help sc", ["schedule"]),
        ("settings org.toc", ["org.tocsin.Tocsin"]), ("show te", ["tea", "team"]),
        ("remove tea me", ["meeting:42@example.org"]),
        ("send --urg", ["--urgency"]), ("send --urgency ", ["low", "normal", "critical"]),
        ("list --del", ["--delivered"]), ("every x --catch-up ", ["once", "skip"]),
    ]

    @Test(arguments: [
        (CompletionShell.bash, bash), (.fish, fish), (.zsh, zsh),
    ])
    func `each shell offers commands, options, values and the pending identifiers`(
        shell: CompletionShell, script: String
    ) async throws {
        try Self.requireShell(shell.rawValue)
        let bus = try PrivateBus()
        for id in ["tea", "team", "meeting:42@example.org"] {
            let run = try await ProgramTests.run(
                "tocsin", ["in", "10h", "T", "--id", id], environment: bus.environment)
            #expect(run.status == 0)
        }
        // bash expands the completions: an identifier of a mailed calendar must not run a command.
        let mark = "\(bus.directory)/ran"
        for id in ["$(touch \(mark))", "`touch \(mark)`", "tea; touch \(mark)", "te'\u{301}a"] {
            let run = try await ProgramTests.run(
                "tocsin", ["in", "10h", "T", "--id", id], environment: bus.environment)
            #expect(run.status == 0)
        }
        for (words, offers) in Self.questions {
            let offered = try await Self.completed(
                shell, script, words: words, in: bus.environment)
            #expect(Set(offered) == offers, "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test func `a line of text that looks like a roff request is escaped in a page`() async throws {
        var tool = try CommandInformation.tool()
        tool.subcommands[0].discussion = ".Sh X\n'so\n\\fB"
        let page = ManualPage(tool: tool, command: tool.subcommands[0]).text
        #expect(page.contains("\n\\&.Sh X\n\\&'so\n\\efB\n"))
    }

    @Test func `an example in a manual page keeps its quotes`() throws {
        let tool = try CommandInformation.tool()
        let every = try #require(tool.subcommands.first { $0.name == "every" })
        #expect(
            ManualPage(tool: tool, command: every).text.contains(
                "\n.Dl tocsin every \\(dqweekday at 9:30\\(dq Standup"))
    }

    /// The page of `run` lists no common statuses: `run` ends with the status of its command.
    @Test func `a manual page has the forms, the values and the exit statuses of its command`()
        throws
    {
        let tool = try CommandInformation.tool()
        func page(_ name: String) throws -> String {
            let command = try #require(tool.subcommands.first { $0.name == name })
            return ManualPage(tool: tool, command: command).text
        }
        let run = try page("run")
        #expect(run.contains("\n.Cm run\n[OPTION ...] \\-\\- COMMAND [ARGUMENT ...]\n.Sh "))
        #expect(run.contains("\n.Sh EXIT STATUS\nthat of the command, 128 plus"))
        #expect(!run.contains("3 timed out"))
        let push = try page("push")
        #expect(push.contains("\n.Nm tocsin\n.Cm push\n\\-\\-to SUBSCRIPTION FILE|\\- ["))
        #expect(push.contains("\n.Nm tocsin\n.Cm push\n\\-\\-new\\-vapid\\-key KEYFILE\n"))
        let schedule = try page("schedule")
        #expect(schedule.contains("time\\-sensitive, critical; default: active)\n"))
        #expect(schedule.contains("\n.Sh EXIT STATUS\n0 done, "))
    }

    @Test(arguments: [
        ("schedule", "tocsin schedule \"Tea is ready\" --in 3m"),
        ("run", "tocsin run -- make test"),
        ("import", "tocsin import backup.jsonl"), ("send", "tocsin send \"Build finished\""),
    ])
    func `help shows examples first`(command: String, example: String) async throws {
        let run = try await ProgramTests.run("tocsin", ["help", command], environment: [:])
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.count > 5)
        #expect(lines.first?.hasPrefix("OVERVIEW: ") == true)
        #expect(lines.dropFirst().first?.hasPrefix(example) == true)
    }
}
