import Foundation
import NotificationModel
import NotificationRuntime
import Reactor
import TestSupport
import Testing

/// A service extension program: started without a shell, given a request, and stopped in time.
@Suite(.timeLimit(.minutes(2))) final class ExtensionProgramTests {
    private let directory: String
    private let reactor = Reactor.started("programs")
    private let app = ApplicationID.tocsin
    private let token = ExtensionToken(rawValue: 1)

    init() throws {
        directory =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/tocsin-programs-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        reactor.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private var probe: String {
        get throws {
            let runner = try #require(Bundle.main.executableURL)
            return runner.deletingLastPathComponent().appendingPathComponent("ExtensionProbe").path
        }
    }

    private func programs(_ command: String?) -> DesktopExtensionPrograms {
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = ":99"
        return DesktopExtensionPrograms(
            environment: environment, directory: directory + "/work", reactor: reactor
        ) { _ in command }
    }

    private func request() -> NotificationRequest {
        var content = NotificationContent(title: "original", body: "text")
        content.userInfo = [
            "secret": .dictionary([
                "when": .date(Instant(microseconds: 7)), "bytes": .data([0, 255, 3]),
                "list": .array([.integer(.max), .real(0.5), .boolean(true), .string("\"ü\n")]),
            ]),
            "picture": .string(Data(TestPNG.bytes).base64EncodedString()),
            "$data": .string("no bytes"),
        ]
        return NotificationRequest(identifier: "p", content: content, trigger: .push)
    }

    private func leftovers() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory + "/work")) ?? []
    }

    @Test func `the extension gets the whole request, and its answer comes back`() async throws {
        let command = "\"\(try probe)\" change \"two words\" $HOME;ls"
        let extended = try #require(
            try await programs(command).extend(request(), of: app, as: token))
        let content = extended.content
        #expect(content.title == "original changed" && content.body == "text")
        #expect(content.subtitle == "two words|$HOME;ls", "no shell expands the arguments")
        #expect(content.userInfo["seen"] == request().content.userInfo["secret"])
        #expect(content.userInfo["$data"] == .string("no bytes"))
        #expect(content.userInfo["window"] == .string("none"))
        #expect(content.userInfo["app"] == .string(app.rawValue))
        #expect(leftovers().isEmpty, "the program's private directory is removed")
    }

    @Test func `an attachment is opened before the program's private directory is removed`()
        async throws
    {
        let extended = try #require(
            try await programs("\"\(try probe)\" picture").extend(request(), of: app, as: token))
        #expect(extended.content.attachments.map(\.type) == ["public.png"])
        #expect(extended.attachments.map(\.size) == [TestPNG.bytes.count])
        #expect(leftovers().isEmpty)
    }

    @Test func `an app without a service extension gets no content`() async throws {
        let none = try await programs(nil).extend(request(), of: app, as: token)
        #expect(none == nil)
    }

    @Test(arguments: [
        ("crash", "ended with status"), ("garbage", "not JSON"), ("raw", "'title'"),
    ])
    func `an answer of the wrong form gives an error with the reason`(
        argument: String, reason: String
    ) async throws {
        let programs = programs("\"\(try probe)\" \(argument)")
        let error = await #expect(throws: NotificationError.self) {
            try await programs.extend(self.request(), of: self.app, as: self.token)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(leftovers().isEmpty)
    }

    @Test(arguments: [
        ("/nonexistent/program", "could not be started"), ("relative", "absolute path"),
        ("\"/bin/true", "absolute path"), ("", "absolute path"),
        ("/etc", "could not be started"),
    ])
    func `an extension that cannot be started gives an error with the reason`(
        command: String, reason: String
    ) async {
        let programs = programs(command)
        let error = await #expect(throws: NotificationError.self) {
            try await programs.extend(self.request(), of: self.app, as: self.token)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test
    func `an attachment is copied into the private directory, and a file elsewhere is refused`()
        async throws
    {
        let inside = try await programs("\"\(try probe)\" stolen").extend(
            request(), of: app, as: token)
        #expect(
            inside?.attachments.count == 1, "the library in the program has copied '/etc/hostname'")
        let script = directory + "/script"
        try await ShellScript.write(
            """
            echo '{"content":{"title":"x","attachments":[{"id":"a","path":"/etc/hostname",\
            "type":"public.png"}]}}'
            """, to: script)
        let programs = programs(script)
        let error = await #expect(throws: NotificationError.self) {
            try await programs.extend(self.request(), of: self.app, as: self.token)
        }
        #expect(error?.code == .attachmentInvalid, "\(error?.message ?? "")")
    }

    // MARK: The time limit

    /// Starts a program that gives no answer, and returns when the program reports its start.
    private func hanging() async throws -> (
        DesktopExtensionPrograms, Task<ExtendedContent?, any Error>
    ) {
        let pipe = directory + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let programs = programs("\"\(try probe)\" hang \(pipe)")
        let (request, app, token) = (request(), app, token)
        let work = Task { try await programs.extend(request, of: app, as: token) }
        let begun = Recording<Bool>()
        Thread.detachNewThread {
            _ = FileHandle(forReadingAtPath: pipe)?.readDataToEndOfFile()
            begun.append(true)
        }
        try await begun.first("the program's begin") { $0 }
        return (programs, work)
    }

    @Test func `an extension that runs out of time gives its best attempt`() async throws {
        let (programs, work) = try await hanging()
        await programs.expire(token)
        let content = try await work.value?.content
        #expect(content?.body == "best attempt" && content?.title == "original changed")
    }

    @Test func `an extension that does not end is killed`() async throws {
        let (programs, work) = try await hanging()
        await programs.endProgram(token)
        let error = await #expect(throws: NotificationError.self) { try await work.value }
        #expect(error?.message.contains("status 137") == true, "\(error?.message ?? "")")
        #expect(leftovers().isEmpty)
    }

    /// The daemon must not wait until the file system of such a program answers.
    @Test func `a program whose file system hangs is killed without a delay`() async throws {
        let (script, interpreter) = (directory + "/script", directory + "/interpreter")
        // Another process writes the files, for the reason that `ShellScript.write` gives.
        let write = "printf '#!%s\\n' \"$2\" >\"$1\" && : >\"$2\" && chmod 700 \"$1\" \"$2\""
        try await RunningProgram.run("sh", ["-c", write, "sh", script, interpreter])
        // While this process has a lease, every program that opens the file waits.
        let lease = open(interpreter, O_RDONLY | O_CLOEXEC)
        defer { close(lease) }
        // The kernel announces the end of a lease by a signal. The default, SIGIO, would end this
        // process, so the test chooses SIGURG.
        try #require(fcntl(lease, 10, SIGURG) == 0, "F_SETSIG")
        try #require(fcntl(lease, 1_024, Int32(F_WRLCK)) == 0, "F_SETLEASE")
        let begun = try openings(of: script)
        let pipe = try Subprocess.pipe()
        defer { close(pipe.source) }
        let programs = programs(script)
        let (request, app, token) = (request(), app, token)
        let work = Task { try await programs.extend(request, of: app, as: token) }
        try await begun.first("the program's begin") { $0 }
        close(pipe.target)
        var end = pollfd(fd: pipe.source, events: Int16(POLLIN), revents: 0)
        // The kernel breaks the lease after 45 s, so a wait of 20 s ends before that.
        #expect(poll(&end, 1, 20_000) == 1, "the waiting program keeps none of our descriptors")
        await programs.endProgram(token)
        let error = await #expect(throws: NotificationError.self) { try await work.value }
        #expect(error?.message.contains("status 137") == true, "\(error?.message ?? "")")
    }

    /// Records the first time that a process opens the file.
    private func openings(of path: String) throws -> Recording<Bool> {
        let events = inotify_init1(Int32(IN_CLOEXEC))
        try #require(inotify_add_watch(events, path, UInt32(IN_OPEN)) >= 0)
        let opened = Recording<Bool>()
        Thread.detachNewThread {
            var event = [UInt8](repeating: 0, count: 4_096)
            opened.append(read(events, &event, event.count) > 0)
            close(events)
        }
        return opened
    }

    /// A replaced push ends its extension only once, so a program that starts later would run on.
    @Test func `an extension that is ended before its program starts never starts the program`()
        async throws
    {
        let (isSearching, mayFind) = (Recording<Bool>(), DispatchSemaphore(value: 0))
        let command = "\"\(try probe)\" change"
        let programs = DesktopExtensionPrograms(
            environment: ProcessInfo.processInfo.environment, directory: directory + "/work",
            reactor: reactor
        ) { _ in
            isSearching.append(true)
            mayFind.wait()
            return command
        }
        let (request, app, token) = (request(), app, token)
        let work = Task { try await programs.extend(request, of: app, as: token) }
        try await isSearching.first("the search for the command") { $0 }
        await programs.endProgram(token)
        mayFind.signal()
        let result = try await work.value
        #expect(result == nil)
    }
}
