import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Faults 12, 18, 53, 58, 59, 60, 62 and 63 of `Tests/Faults.md`: a daemon lacks a basic resource.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ResourceTests {
    private static let app = ApplicationID.tocsin

    private static func later(_ identifier: String, body: String = "") -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: identifier, body: body),
            trigger: .interval(seconds: 30_000, repeats: false))
    }

    // MARK: 12

    /// A daemon that has no memory for a message must not try to read the message for ever.
    @Test func `a daemon without memory continues or ends, and keeps every acknowledged request`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.client(on: bus)
        try await center.add(Self.later("first"), attachments: [], for: Self.app)
        let size = try String(
            contentsOfFile: "/proc/\(daemon.processIdentifier)/statm", encoding: .utf8)
        let pages = try #require(size.split(separator: " ").first.flatMap { Int($0) })
        try await RunningProgram.run(
            "prlimit",
            ["--pid", "\(daemon.processIdentifier)", "--as=\(pages * 4_096 + (2 << 20))"])
        let stored = Recording<String>()
        stored.append("first")
        let body = String(repeating: "x", count: 200_000)
        // An ending daemon may never answer, so the timeout is short.
        let hungry = HostedService.client(
            over: try await BusConnection.open(
                on: bus, name: "hungry", options: .init { $0.callTimeout = .seconds(4) }))
        await withTaskGroup(of: Void.self) { group in
            for batch in 0..<40 {
                group.addTask {
                    let requests = (0..<5).map { Self.later("\(batch).\($0)", body: body) }
                    do {
                        try await hungry.add(
                            requests.map { RequestWithFiles($0, files: []) }, for: Self.app)
                        for request in requests { stored.append(request.identifier) }
                    } catch {}
                }
            }
        }
        print("without memory: \(stored.all.count - 1) of 200 were stored")
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        _ = try await polled(
            "an answer, or the end of the daemon",
            because: "a daemon without memory drops calls, and does not signal when it has memory"
        ) {
            guard process.isAlive else { return true }
            let connection = try await BusConnection.open(
                on: bus, name: "again", options: .init { $0.callTimeout = .seconds(2) })
            let status = try? await HostedService.client(over: connection).status()
            await connection.close()
            return status == nil ? nil : true
        }
        // The daemon may have ended. As the system does then, start the next daemon.
        daemon.signal(SIGKILL)
        try await daemon.exit()
        let next = try await HostedService.startDaemon(on: bus)
        let found = try await HostedService.client(on: bus).pending(of: Self.app)
        #expect(Set(stored.all).isSubset(of: found.map(\.request.identifier)))
        next.signal(SIGTERM)
        #expect(try await next.exit() == 0)
    }

    // MARK: 18

    @Test(arguments: ["/proc/nowhere", "relative"])
    func `a daemon without a place for its store ends and says what to do`(
        home: String
    ) async throws {
        let bus = try PrivateBus()
        var environment = bus.environment
        environment["XDG_STATE_HOME"] = nil
        environment["HOME"] = home
        let start = ContinuousClock.now
        let daemon = try RunningProgram(
            try HostedService.program("tocsind"), [], environment: environment)
        #expect(try await daemon.exit() == 1)
        #expect(ContinuousClock.now - start < .seconds(10))
        try await daemon.lines.untilFinished()
        #expect(daemon.said.contains("XDG_STATE_HOME") || daemon.said.contains("Make "))
    }

    // MARK: 53

    @Test func `a daemon without zone data serves and logs which zone is missing`() async throws {
        let bus = try PrivateBus()
        let said = bus.directory + "/said"
        let zones = bus.directory + "/zones"
        try FileManager.default.createDirectory(
            atPath: zones, withIntermediateDirectories: false)
        let daemon = try await HostedService.startDaemon(
            on: bus, adding: ["TZ": "Europe/Berlin", "TZDIR": zones],
            by: "exec \"$1\" 2>'\(said)'")
        let center = try await HostedService.client(on: bus)
        var components = CalendarComponents()
        components.hour = 9
        var request = Self.later("floating")
        request.trigger = .calendar(components, repeats: true)
        try await center.add(request, attachments: [], for: Self.app)
        components.timeZone = "America/New_York"
        var fixed = Self.later("fixed")
        fixed.trigger = .calendar(components, repeats: true)
        let refused = fixed
        let error = await #expect(throws: NotificationError.self) {
            try await center.add(refused, attachments: [], for: Self.app)
        }
        #expect(error?.code == .noDate)
        let pending = try await center.pending(of: Self.app)
        #expect(pending.map(\.request.identifier) == ["floating"])
        #expect(pending.allSatisfy { $0.nextFire != nil })
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        let text = try String(contentsOfFile: said, encoding: .utf8)
        #expect(text.contains("no zone data for 'Europe/Berlin'"), "\(text)")
    }

    // MARK: 58

    /// The arguments of a shell that runs a command, which may have at most `limit` files open.
    private static func only(_ limit: Int, _ command: String) -> [String] {
        [
            "-c",
            """
            for number in $(ls /proc/self/fd); do
                [ "$number" -le 2 ] || eval "exec $number>&-"
            done
            ulimit -n \(limit); exec \(command) 2>&1
            """,
        ]
    }

    @Test(arguments: [32, 64])
    func `a daemon serves although it may open only a few files`(limit: Int) async throws {
        let bus = try PrivateBus()
        let daemon = try RunningProgram(
            "bash", Self.only(limit, "'\(try HostedService.program("tocsind"))'"),
            environment: bus.environment)
        let lines = try await daemon.lines.wait(for: "a word") { !$0.isEmpty }
        #expect(lines[0].contains("serving"))
        let center = try await HostedService.client(on: bus)
        for number in 0..<20 {
            try await center.add(Self.later("r\(number)"), attachments: [], for: Self.app)
        }
        #expect(try await center.pending(of: Self.app).count == 20)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    /// The program must end: a daemon with so few descriptors could serve, but fire nothing.
    @Test(arguments: [
        ("tocsind", 4...26), ("tocsin list", 4...8),
    ])
    func `a program that may open almost no file reports the limit`(
        command: String, limits: ClosedRange<Int>
    ) async throws {
        let bus = try PrivateBus()
        for limit in limits {
            let parts = command.split(separator: " ")
            let program = try RunningProgram(
                "bash",
                Self.only(
                    limit,
                    "'\(try HostedService.program(String(parts[0])))' "
                        + parts.dropFirst().joined(separator: " ")),
                environment: bus.environment)
            #expect(try await program.exit() > 0, "\(limit): \(program.said)")
            try await program.lines.untilFinished()
            #expect(
                ["ulimit -n", "Too many open files"].contains(where: program.said.contains),
                "\(limit): \(program.said)")
        }
    }

    // MARK: 59

    /// Returns a request that shows a part of an image; a separate program cuts out the part.
    private static func cut(_ image: String, _ name: String) -> NotificationRequest {
        var request = NotificationRequest(
            identifier: name, content: NotificationContent(title: name))
        request.content.attachments = [
            NotificationAttachment(
                identifier: "p", path: image, type: "public.png",
                options: [
                    AttachmentThumbnail.Key.clippingRectangle: .dictionary([
                        "X": .real(0), "Y": .real(0), "Width": .real(0.5), "Height": .real(1),
                    ])
                ])
        ]
        return request
    }

    @Test
    func `a daemon serves while it can start no program, and later starts programs again`()
        async throws
    {
        let disk = try await FailingDisk()
        let server = try await ScriptedServer.start(on: disk.bus)
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        try disk.shim.fail(.start, error: EAGAIN)
        let image = disk.bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        func show(_ name: String) async throws -> NotifyCall {
            try await center.add(
                Self.cut(image, name), attachments: [try OpenFile(path: image)],
                for: Self.app)
            return try await server.calls.first("the popup") { $0.summary == name }
        }
        let popup = try await show("cut")
        #expect(popup.hints["image-data"] == nil && popup.hints["image-path"] != nil)
        #expect(try disk.shim.hits > 0, "the daemon must have tried to start a program")
        try await server.click(popup.id, "default")
        try await center.add(disk.request("later"), attachments: [], for: disk.app)
        #expect(try await center.pending(of: disk.app).count == 1)
        try disk.shim.heal()
        let made = try await show("made")
        #expect(made.hints["image-data"] != nil && made.hints["image-path"] == nil)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await server.stop()
    }

    /// Starts a daemon whose descriptors 11 to 255 are open; its soft limit is 256.
    private static let crowded = """
        exec python3 -c '
        import os, resource, sys
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        while os.dup(0) < 255: pass
        for number in range(11, 256): os.set_inheritable(number, True)
        os.closerange(3, 11)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        os.execv(sys.argv[1], sys.argv[1:])
        ' "$1"
        """

    /// An image program that got the daemon's streams would write its image to the daemon's log.
    @Test func `a daemon with many open files starts programs with their own streams`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus, by: Self.crowded)
        let center = try await HostedService.client(on: bus)
        let image = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        try await center.add(
            Self.cut(image, "cut"), attachments: [try OpenFile(path: image)], for: Self.app)
        let popup = try await server.calls.first("the popup") { $0.summary == "cut" }
        #expect(popup.hints["image-data"] != nil && popup.hints["image-path"] == nil)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await server.stop()
    }

    // MARK: 60

    @Test func `each of a hundred simultaneous clients sees its own changes in order`() async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<100 {
                group.addTask {
                    let connection = try await BusConnection.open(on: bus, name: "linear")
                    let center = HostedService.client(over: connection)
                    let app = try ApplicationID("org.example.Linear\(client % 10)")
                    let name = "c\(client)"
                    for round in 0..<3 {
                        var request = Self.later(name, body: "\(round)")
                        try await center.add(request, attachments: [], for: app)
                        request.content.body = "changed \(round)"
                        try await center.add(request, attachments: [], for: app)
                        let found = try await center.pending(of: app).map(\.request)
                        #expect(found.filter { $0.identifier == name } == [request])
                        try await center.removePending(.identifiers([name]), of: app)
                        let left = try await center.pending(of: app).map(\.request.identifier)
                        #expect(!left.contains(name))
                    }
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await HostedService.client(on: bus).pending(of: nil).isEmpty)
        await daemon.stop()
    }

    // MARK: 62

    @Test func `thousands of notifications do not let memory, descriptors or the store grow`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        let store = try await center.status().store
        func fire(_ count: Int, _ round: Int) async throws -> (Int, Int, Int) {
            for number in 0..<count {
                let name = "\(round).\(number)"
                try await center.add(
                    NotificationRequest(
                        identifier: name, content: NotificationContent(title: name)),
                    attachments: [], for: Self.app)
            }
            let shown = round * count
            try await server.calls.wait(for: "the popups") { $0.count >= shown }
            let size = try FileManager.default.attributesOfItem(atPath: store)[.size]
            return (
                try process.memory, try process.descriptors, (size as? NSNumber)?.intValue ?? 0
            )
        }
        let count = 600
        let warm = try await fire(count, 1)
        _ = try await fire(count, 2)
        _ = try await fire(count, 3)
        let end = try await fire(count, 4)
        print("soak: memory \(warm.0 >> 10) → \(end.0 >> 10) KiB, store \(warm.2) → \(end.2)")
        #expect(end.0 - warm.0 < 12 << 20)
        #expect(end.1 - warm.1 < 4)
        #expect(end.2 - warm.2 < 1 << 20)
        await daemon.stop()
        await server.stop()
    }

    // MARK: 63

    @Test(arguments: ["closed", "full", "gone"])
    func `a daemon serves although its log output is closed, full or without a reader`(
        target: String
    ) async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        // The daemon writes a message for each refusal.
        script.failures = .all("org.freedesktop.DBus.Error.InvalidArgs")
        let server = try await ScriptedServer.start(on: bus, script: script)
        let pipe = bus.directory + "/pipe"
        mkfifo(pipe, 0o600)
        let end = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let page = [UInt8](repeating: 1, count: 4_096)
        while target == "full", write(end, page, page.count) > 0 {}
        let daemon = try await HostedService.startDaemon(
            on: bus,
            by: target == "closed" ? "exec \"$1\" <&- >&- 2>&-" : "exec \"$1\" 2>'\(pipe)'")
        if target == "gone" { close(end) }
        defer { if target != "gone" { close(end) } }
        let center = try await HostedService.client(on: bus)
        for number in 0..<100 {
            let name = "r\(number)"
            try await center.add(
                NotificationRequest(identifier: name, content: NotificationContent(title: name)),
                attachments: [], for: Self.app)
        }
        try await server.calls.wait(for: "the refusals") { $0.count >= 100 }
        try await center.add(Self.later("later"), attachments: [], for: Self.app)
        #expect(try await center.pending(of: Self.app).count == 1)
        if target == "closed" {
            for number in 0...2 {
                let file = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(daemon.processIdentifier)/fd/\(number)")
                #expect(file == "/dev/null")
            }
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        await server.stop()
    }
}
