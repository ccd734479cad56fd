import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A program that names no app belongs to the app whose desktop file started it.
@Suite(
    .enabled(
        if: ControlGroup.parent != nil, "this user may not make control groups to start apps in"),
    .timeLimit(.minutes(5)))
struct UnitIdentityTests {
    /// Runs a program in a control group of this name, as systemd starts apps.
    ///
    /// The program may notify as `org.example.Unit`, and as no other app.
    private static func run(
        unit: String, entry: String
    ) async throws -> (status: Int32?, said: String) {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await HostedService.allow(.embedded, on: bus, app: "org.example.Unit")
        let folder = bus.directory + "/home/.local/share/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try entry.write(
            toFile: folder + "/org.example.Unit.desktop", atomically: true, encoding: .utf8)
        let group = try ControlGroup(unit)
        var environment = bus.environment
        environment["TOCSIN_MODE"] = "embedded"
        environment["TOCSIN_APP_ID"] = nil
        let program = try RunningProgram(
            "sh",
            [
                "-c", "echo $$ >\"$1\"/cgroup.procs && shift && exec \"$@\"", "sh", group.path,
                try HostedService.program("HostProbe"), "add", "10000", "Tea",
            ], environment: environment)
        // The program keeps running after an accepted request, and ends after a refused one.
        _ = try? await program.lines.wait(for: "the add") { $0.contains("added") }
        let isThere = program.lines.all.contains("added")
        if isThere { program.signal(SIGKILL) }
        let status = try await program.exit()
        let said = program.said
        await server.stop()
        group.remove()
        return (isThere ? nil : status, said)
    }

    private static func entry(_ exec: String, _ more: String = "") -> String {
        "[Desktop Entry]\nType=Application\nName=Unit\nExec=\"\(exec)\"\n\(more)\n"
    }

    @Test(arguments: [
        ("app-gnome-org.example.Unit-1.scope", ""), ("app-org.example.Unit@2.service", ""),
        ("app-org.example.Unit-3.scope", "NoDisplay=true"),
        ("app-org.example.Unit-4.scope", "OnlyShowIn=GNOME;"),
    ])
    func `the name of a systemd unit tells whose desktop file started the program`(
        unit: String, more: String
    ) async throws {
        let program = try HostedService.program("HostProbe")
        let (status, said) = try await Self.run(unit: unit, entry: Self.entry(program, more))
        #expect(status == nil, "\(said)")
    }

    @Test(arguments: [("/bin/sh", ""), (nil, "Hidden=true"), (nil, "TryExec=/no/such/program")])
    func `a unit names no app if its desktop file starts another program or is disabled`(
        exec: String?, more: String
    ) async throws {
        let program = try exec ?? HostedService.program("HostProbe")
        let (status, said) = try await Self.run(
            unit: "app-org.example.Unit-5.scope", entry: Self.entry(program, more))
        #expect(status != nil, "\(said)")
    }
}

/// A control group for one test, below the group in which the test runs.
struct ControlGroup {
    let path: String

    /// A folder in which this user may make control groups; nil if no folder is writable.
    static let parent: String? = {
        let text = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n").reversed() {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].replacingOccurrences(of: "name=", with: "")
            let roots = controllers.isEmpty ? ["", "/unified"] : ["/" + controllers]
            for root in roots {
                let path = "/sys/fs/cgroup\(root)\(fields[2] == "/" ? "" : fields[2])"
                let probe = "\(path)/tocsin-test-\(getpid())"
                guard mkdir(probe, 0o755) == 0 else { continue }
                defer { rmdir(probe) }
                if FileManager.default.fileExists(atPath: probe + "/cgroup.procs") { return path }
            }
        }
        return nil
    }()

    /// Makes a group; the name is the last part of a path that no other test uses.
    init(_ unit: String) throws {
        let parent = try #require(Self.parent)
        let folder = "\(parent)/tocsin-\(UUID().uuidString)"
        path = "\(folder)/\(unit)"
        guard mkdir(folder, 0o755) == 0, mkdir(path, 0o755) == 0 else {
            throw HarnessError("\(path): errno \(errno)")
        }
    }

    /// Removes the group; no process may be left in it.
    func remove() {
        rmdir(path)
        rmdir(URL(filePath: path).deletingLastPathComponent().path)
    }
}
