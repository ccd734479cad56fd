import Foundation
import TestSupport
import Testing

/// `simulate` with another program in place of the one that simulates.
@Suite struct SimulatorProgramTests {
    /// A directory with the tool, and perhaps a `tocsind` of a shell's lines.
    private final class Place: Sendable {
        let directory: String

        init(_ script: String?) async throws {
            directory = FileManager.default.temporaryDirectory.path + "/place-" + UUID().uuidString
            // By another process: a program that is open for writing here cannot be started.
            try await RunningProgram.run(
                "install", ["-D", "-t", directory, "\(ProgramTests.products)/tocsin"])
            if let script { try await ShellScript.write(script, to: directory + "/tocsind") }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: directory)
        }

        func simulate(_ arguments: String...) async throws -> ProgramTests.Run {
            let tool = try RunningProgram(
                "\(directory)/tocsin", ["simulate", "--tz", "UTC"] + arguments,
                environment: [
                    "HOME": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
                    "PATH": "/usr/bin:/bin", "DIRECTORY": directory,
                ])
            let status = try await tool.exit()
            try await tool.lines.untilFinished()
            return ProgramTests.Run(status: status, output: tool.said, errors: tool.said)
        }
    }

    private static let start = #"{"kind":"start","timeZone":"UTC"}"#
    private static let end = #"{"kind":"end","isLimited":false}"#
    private static let ring =
        #"{"kind":"ring","outcome":"rings","app":"a","id":"i","title":"T","due":0,"fired":0,"#
        + #""timeZone":"UTC"}"#

    @Test func withoutTheProgramTheErrorNamesItsPlace() async throws {
        let run = try await Place(nil).simulate()
        #expect(run.status == 75, "\(run.errors)")
        #expect(run.errors.contains("could not be started"))
        #expect(run.errors.contains("install Tocsin again"))
    }

    @Test func whatItSaysIsPrintedLineByLineAndItsArgumentsAreThoseOfTheTool() async throws {
        let place = try await Place(
            """
            echo "$@" >"$DIRECTORY/arguments"
            printf '%s\\n' '\(Self.start)' '\(Self.ring)' 'no JSON' '\(Self.ring)' '\(Self.end)'
            """)
        let run = try await place.simulate("--from", "2027-01-01", "--for", "1d", "--limit", "9")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0 == "Thu 1970-01-01 00:00:00 UTC  i  T" })
        let arguments = try String(
            contentsOfFile: place.directory + "/arguments", encoding: .utf8)
        #expect(
            arguments == "simulate --from 1798761600000000 --until 1798848000000000 --tz UTC "
                + "--limit 9\n")
    }

    @Test func nothingThatRingsIsSaid() async throws {
        let run = try await Place("printf '%s\\n' '\(Self.start)' '\(Self.end)'").simulate()
        #expect(run.status == 0)
        #expect(run.errors == "Nothing rings in that time.\n")
    }

    @Test(
        arguments: [
            "exit 0", "printf '%s\\n' '\(start)' '\(ring)'", "printf '%s\\n' '\(end)'; exit 3",
            "printf '%s\\n' '\(end)'; kill -9 $$",
        ])
    func aProgramThatEndsEarlyIsAFailure(script: String) async throws {
        let run = try await Place(script).simulate()
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.contains("ended early"))
    }

    @Test func itsErrorIsTheToolsWithItsStatus() async throws {
        let run = try await Place(
            """
            printf '%s\\n' '{"kind":"error","code":"NoSpace","message":"The disk is full."}'; exit 1
            """
        ).simulate()
        #expect(run.status == 1)
        #expect(run.errors == "tocsin: The disk is full.\n")
    }

    @Test func aLastLineWithoutAnEndAndALongOneAreRead() async throws {
        let run = try await Place(
            """
            printf '%s\\n' '\(Self.start)'
            printf '{"kind":"ring","outcome":"rings","app":"a","id":"i","due":0,"fired":0,'
            printf '"timeZone":"UTC","title":"'; head -c 200000 /dev/zero | tr '\\0' x
            printf '"}\\n%s' '\(Self.end)'
            """
        ).simulate()
        #expect(run.status == 0, "\(run.errors.prefix(200))")
        #expect(run.output.count > 200_000)
    }
}
