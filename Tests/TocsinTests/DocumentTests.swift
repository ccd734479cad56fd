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
