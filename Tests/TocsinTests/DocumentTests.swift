import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import tocsin

/// Manual pages and completions, which are made of the commands' own definitions.
@Suite struct DocumentTests {
    @Test(.enabled(if: RunningProgram.path(of: "man") != nil, "man is not installed"))
    func eachPageIsWellFormedAndNamesEveryOption() async throws {
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
    func theCompletionsAreScriptsOfTheirShells(shell: String, option: String) async throws {
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
            guard RunningProgram.path(of: shell) != nil else {
                print("\(shell) is not installed: its script is not read by it")
                return
            }
            try await RunningProgram.run(shell, [option, path])
        }
    }

    /// Asks a shell what may follow a command line; nil, with the reason printed, where it is not
    /// installed.
    private static func completed(
        _ shell: CompletionShell, _ script: String, words: String = "",
        in environment: [String: String]
    ) async throws -> [String]? {
        guard RunningProgram.path(of: shell.rawValue) != nil else {
            print("\(shell.rawValue) is not installed: nothing is completed by it")
            return nil
        }
        let folder = try #require(environment["HOME"]) + "/completions"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // The name by which zsh finds it.
        try Tocsin.completionScript(for: shell)
            .write(toFile: folder + "/_tocsin", atomically: true, encoding: .utf8)
        var variables = environment.merging(["FOLDER": folder, "WORDS": words]) { $1 }
        variables["PATH"] = "\(ProgramTests.products):/usr/bin:/bin"
        return try await RunningProgram.run(
            shell.rawValue, ["-c", script], environment: variables
        ).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static let bash = """
        source "$FOLDER/_tocsin"; COMP_WORDS=(tocsin $WORDS); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="tocsin $WORDS"; COMP_POINT=${#COMP_LINE}
        _tocsin tocsin "${COMP_WORDS[COMP_CWORD]}"; printf '%s\\n' "${COMPREPLY[@]}"
        """
    private static let fish = """
        source $FOLDER/_tocsin; complete -C"tocsin $WORDS" | string split -f1 \\t; true
        """
    private static let zsh = """
        fpath=($FOLDER $fpath); autoload -U compinit; compinit -u -d $HOME/dump
        print $_comps[tocsin]; autoload +X _tocsin && print loaded
        """

    @Test func eachShellOffersTheCommandsAndTheIdentifiersOfWhatWaits() async throws {
        let bus = try PrivateBus()
        for id in ["tea", "team"] {
            let run = try await ProgramTests.run(
                "tocsin", ["in", "10h", "T", "--id", id], environment: bus.environment)
            #expect(run.status == 0)
        }
        let commands: Set = ["send", "schedule", "show", "skip", "snooze", "simulate", "settings"]
        for (shell, script) in [(CompletionShell.bash, Self.bash), (.fish, Self.fish)] {
            let offered = try await Self.completed(
                shell, script, words: "s", in: bus.environment)
            if let offered { #expect(Set(offered) == commands) }
            let identifiers = try await Self.completed(
                shell, script, words: "show te", in: bus.environment)
            if let identifiers { #expect(identifiers == ["tea", "team"]) }
        }
        let zsh = try await Self.completed(.zsh, Self.zsh, in: bus.environment)
        if let zsh { #expect(zsh == ["_tocsin", "loaded"]) }
    }

    @Test func aTextIsNoRequestOfThePage() async throws {
        var tool = try CommandInformation.tool()
        tool.subcommands[0].discussion = ".Sh X\n'so\n\\fB"
        let page = ManualPage(tool: tool, command: tool.subcommands[0]).text
        #expect(page.contains("\n\\&.Sh X\n\\&'so\n\\efB\n"))
    }

    @Test(arguments: [
        ("schedule", "tocsin schedule \"Tea is ready\" --in 3m"),
        ("run", "tocsin run -- make test"),
        ("import", "tocsin import backup.jsonl"), ("send", "tocsin send \"Build finished\""),
    ])
    func helpShowsExamplesFirst(command: String, example: String) async throws {
        let run = try await ProgramTests.run("tocsin", ["help", command], environment: [:])
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.count > 5)
        #expect(lines.first?.hasPrefix("OVERVIEW: ") == true)
        #expect(lines.dropFirst().first?.hasPrefix(example) == true)
    }
}
