import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Faults 15 to 18 and 20 of `Tests/Faults.md`.
///
/// A disk is full, fails, or writes half of the bytes.
///
/// In one test another program removes or replaces the store.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DiskFaultTests {
    @Test func `a request whose commit could not be synced is refused and the next one is stored`()
        async throws
    {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("before"), to: center, for: disk.app)
        try disk.shim.fail(.sync, of: "-wal", error: EIO, times: 1)
        await ledger.add(disk.request("unsynced"), to: center, for: disk.app)
        #expect(try disk.shim.hits == 1)
        #expect(ledger.refusals.map(\.identifier) == ["unsynced"])
        #expect(ledger.refusals.first?.error.code == .storeUnavailable)
        await ledger.add(disk.request("after"), to: center, for: disk.app)
        let pending = try await center.pending(of: disk.app).map(\.request.identifier)
        #expect(pending.sorted() == ["after", "before"])
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }

    @Test func `a request is refused if its attachment's directory entry could not be synced`()
        async throws
    {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        let image = disk.bus.directory + "/a.png"
        try Data(TestPNG.bytes).write(to: URL(filePath: image))
        var draft = disk.request("picture")
        draft.content.attachments = [.init(identifier: "0", path: image, type: "public.png")]
        let request = draft
        try disk.shim.fail(.sync, of: "/attachments", error: EIO, times: 1)
        let error = await #expect(throws: NotificationError.self) {
            try await center.add(request, attachments: [OpenFile(path: image)], for: disk.app)
        }
        #expect(error?.code == .attachmentNotStored)
        try await center.add(request, attachments: [OpenFile(path: image)], for: disk.app)
        daemon.signal(SIGTERM)
        try await daemon.exit()
    }

    @Test func `a request whose commit could not be synced is not in the store after a kill`()
        async throws
    {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("before"), to: center, for: disk.app)
        try disk.shim.fail(.sync, of: "-wal", error: EIO, times: 1)
        await ledger.add(disk.request("unsynced"), to: center, for: disk.app)
        #expect(ledger.refusals.count == 1)
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }

    @Test(arguments: [
        (DiskShim.Operations.write, EIO), (.write, ENOSPC), (.sync, EIO),
    ])
    func `after a failed disk operation, each acknowledged request is in the store`(
        operation: DiskShim.Operations, error: Int32
    ) async throws {
        let disk = try await FailingDisk()
        var ledger = DiskLedger()
        for skip in [0, 1, 2, 4, 7] as [Int32] {
            let daemon = try await disk.daemon()
            let center = try await disk.client()
            await ledger.add(disk.request("kept \(skip)"), to: center, for: disk.app)
            try disk.shim.fail(operation, error: error, after: skip, times: 1)
            for number in 0..<4 {
                let name = "\(skip) \(number)"
                await ledger.add(disk.request(name), to: center, for: disk.app)
                await ledger.add(disk.request(name, title: "new"), to: center, for: disk.app)
            }
            await ledger.remove("\(skip) 0", from: center, of: disk.app)
            #expect(try disk.shim.hits == 1, "one operation must fail after \(skip) successes")
            try disk.shim.heal()
            // After any failure the daemon accepts requests again.
            let refused = ledger.refusals.count
            await ledger.add(disk.request("healed \(skip)"), to: center, for: disk.app)
            #expect(ledger.refusals.count == refused, "\(ledger.refusals.last as Any)")
            #expect(
                try await disk.foundAfterKill(of: daemon) == ledger.stored,
                "fault after \(skip) operations")
        }
        // After one ENOSPC the daemon uses the reserve that it keeps on disk, and refuses nothing.
        #expect(ledger.refusals.isEmpty == (error == ENOSPC))
        for (identifier, refusal) in ledger.refusals {
            let code: NotificationError.Code = error == ENOSPC ? .noSpace : .storeUnavailable
            #expect(refusal.code == code, "\(identifier): \(refusal)")
        }
    }

    @Test func `a checkpoint that cannot be synced loses no request`() async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        try disk.shim.fail(.sync, of: "center.sqlite", error: EIO)
        var ledger = DiskLedger()
        let body = String(repeating: "x", count: 40_000)
        for number in 0..<200 {
            var request = disk.request("r\(number)")
            request.content.body = body
            await ledger.add(request, to: center, for: disk.app)
        }
        #expect(try disk.shim.hits > 0, "a checkpoint must have failed")
        #expect(ledger.refusals.isEmpty, "\(ledger.refusals.first as Any)")
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }

    /// The list is larger than SQLite's cache, so that SQLite reads the disk.
    @Test func `a failed read refuses at most one list and loses no request`() async throws {
        let disk = try await FailingDisk()
        var ledger = DiskLedger()
        for skip in [0, 1, 5, 50] as [Int32] {
            let daemon = try await HostedService.startDaemon(
                on: disk.bus, adding: disk.shim.environment, by: "exec \"$1\" 2>&1")
            let center = try await disk.client()
            for number in ledger.stored.count..<200 {
                var request = disk.request("r\(number)")
                request.content.body = String(repeating: "x", count: 40_000)
                await ledger.add(request, to: center, for: disk.app)
            }
            try disk.shim.fail(.read, error: EIO, after: skip, times: 1)
            do {
                let found = try await center.pending(of: disk.app)
                #expect(found.count == 200, "fault after \(skip) operations")
            } catch {
                #expect(error.code == .storeUnavailable, "fault after \(skip) operations: \(error)")
            }
            #expect(try disk.shim.hits == 1, "one operation must fail after \(skip) successes")
            try disk.shim.heal()
            #expect(
                try await center.pending(of: disk.app).count == 200,
                "fault after \(skip) operations")
            #expect(ledger.refusals.isEmpty, "\(ledger.refusals.first as Any)")
            #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
        }
    }

    @Test func `short and interrupted writes are finished`() async throws {
        let disk = try await FailingDisk()
        try disk.shim.fail(.write, error: nil)
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        for number in 0..<10 {
            await ledger.add(disk.request("short \(number)"), to: center, for: disk.app)
        }
        #expect(try disk.shim.hits > 20)
        for number in 0..<10 {
            try disk.shim.fail([.write, .read, .open], error: EINTR, times: 2)
            await ledger.add(disk.request("interrupted \(number)"), to: center, for: disk.app)
            #expect(try disk.shim.hits == 2)
        }
        #expect(ledger.refusals.isEmpty, "\(ledger.refusals.first as Any)")
        #expect(ledger.stored.count == 20)
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }

    /// SQLite reports a used-up quota as a broken disk, but our error must say that space is
    /// missing.
    @Test(arguments: [ENOSPC, EDQUOT])
    func `while the disk cannot be written, due requests wait and new requests are refused`(
        error: Int32
    ) async throws {
        let disk = try await FailingDisk()
        let server = try await ScriptedServer.start(on: disk.bus)
        let daemon = try await HostedService.startDaemon(
            on: disk.bus, adding: disk.shim.environment, by: "exec \"$1\" 2>&1")
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("later"), to: center, for: disk.app)
        try await center.add(
            NotificationRequest(
                identifier: "soon", content: NotificationContent(title: "soon"),
                trigger: .interval(seconds: 1, repeats: false)), attachments: [], for: disk.app)
        try disk.shim.fail([.write, .allocate], error: error)
        await ledger.add(disk.request("new"), to: center, for: disk.app)
        #expect(ledger.refusals.map(\.error.code) == [.noSpace])
        // The daemon does not show the due request, because it cannot store that it shows it.
        try await daemon.lines.wait(for: "the failures") { lines in
            lines.count { $0.contains("the store failed, and the change is retried in 1 s") } >= 2
        }
        #expect(server.calls.all.isEmpty)
        try disk.shim.heal()
        await ledger.add(disk.request("room"), to: center, for: disk.app)
        #expect(ledger.refusals.count == 1, "\(ledger.refusals.last as Any)")
        try await server.calls.wait(for: "what was due") { $0.contains { $0.summary == "soon" } }
        try await center.waitForDelivered(of: disk.app)
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
        #expect(
            server.calls.all.map(\.summary) == ["soon"], "the next daemon does not show it again")
        await server.stop()
    }

    /// While SQLite deletes a large row, it must keep the old pages in memory, not in a file.
    @Test func `a large request is removed although no temporary file can be made`() async throws {
        let bus = try PrivateBus()
        let folder = bus.directory + "/temporary"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let shim = try await DiskShim(folder: folder, in: bus.directory)
        let daemon = try await HostedService.startDaemon(
            on: bus, adding: shim.environment.merging(["SQLITE_TMPDIR": folder]) { $1 })
        let center = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        let body = String(repeating: "x", count: 200_000)
        try await center.add(
            NotificationRequest(
                identifier: "large", content: NotificationContent(title: "large", body: body),
                trigger: .interval(seconds: 10_800, repeats: false)), attachments: [], for: app)
        try shim.fail([.open, .write], error: ENOSPC)
        try await center.removePending(.identifiers(["large"]), of: app)
        #expect(try shim.hits == 0)
        #expect(try await center.pending(of: app).isEmpty)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    /// The sum of the numbers in the log lines "… notifications may be shown again".
    private static func unmarked(in lines: [String]) -> Int {
        lines.compactMap { line in
            line.range(of: " notifications may be shown again").flatMap {
                line[..<$0.lowerBound].split(separator: " ").last.flatMap { Int($0) }
            }
        }.reduce(0, +)
    }

    /// The daemon tries each change again every second, and must not log each attempt.
    @Test
    func `on a full disk, the log stays short and counts the popups that are not yet stored`()
        async throws
    {
        let disk = try await FailingDisk()
        let server = try await ScriptedServer.start(on: disk.bus)
        let daemon = try await HostedService.startDaemon(
            on: disk.bus, adding: disk.shim.environment, by: "exec \"$1\" 2>&1")
        let center = try await disk.client()
        let failure = "the store failed, and the change is retried in 1 s"
        let count = 20
        // The disk is full twice; the second time the log must not be silent.
        for total in [count, 2 * count] {
            await server.change { $0.replies = .held }
            for number in total - count..<total {
                try await center.add(
                    NotificationRequest(
                        identifier: "\(number)", content: NotificationContent(title: "\(number)")),
                    attachments: [], for: disk.app)
            }
            try await server.calls.wait(for: "the posts") { $0.count == total }
            try disk.shim.fail([.write, .allocate], error: ENOSPC)
            await server.release()
            try await daemon.lines.wait(for: "the second failure and the counts") { lines in
                lines.count { $0.contains(failure) } >= 2 && Self.unmarked(in: lines) >= total
            }
            try disk.shim.heal()
            try await center.waitForDelivered(total, of: disk.app)
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        try await daemon.lines.untilFinished()
        let lines = daemon.lines.all
        #expect(lines.count { $0.contains(failure) } < count, "\(daemon.said)")
        #expect(Self.unmarked(in: lines) == 2 * count, "\(daemon.said)")
        await server.stop()
    }

    @Test(arguments: [
        (DiskShim.Operations.open, EACCES), (.open, EIO), (.write, ENOSPC), (.truncate, EIO),
    ])
    func `a daemon that cannot open its store says so, ends, and leaves the store unchanged`(
        operation: DiskShim.Operations, error: Int32
    ) async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("a"), to: center, for: disk.app)
        daemon.signal(SIGTERM)
        try await daemon.exit()
        // SQLite makes its shared memory when it opens a store.
        let suffix = operation == .open ? "center.sqlite" : "-shm"
        try disk.shim.fail(operation, of: suffix, error: error)
        let failing = try RunningProgram(
            try HostedService.program("tocsind"), [],
            environment: disk.bus.environment.merging(disk.shim.environment) { $1 })
        #expect(try await failing.exit() == 1)
        try await failing.lines.untilFinished()
        #expect(failing.said.contains("could not be opened"), "\(failing.said)")
        #expect(try disk.shim.hits > 0)
        #expect(try await disk.foundAfterKill(of: failing) == ledger.stored)
    }

    /// SQLite reports an unreadable block as an error of the disk, and not as damage.
    ///
    /// Only a killed daemon leaves a write-ahead log.
    @Test(
        arguments: [
            ("center.sqlite", SIGTERM, 0, 3, "some rows could not be read"),
            ("center.sqlite-wal", SIGKILL, 1, 2, "nothing is missing"),
        ] as [(String, Int32, Int32, Int32, String)])
    func `a store whose header or log cannot be read at a start keeps its requests`(
        suffix: String, end: Int32, skip: Int32, times: Int32, record: String
    ) async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon(onShim: false)
        let center = try await disk.client()
        var ledger = DiskLedger()
        for number in 0..<5 {
            await ledger.add(disk.request("r\(number)"), to: center, for: disk.app)
        }
        daemon.signal(end)
        try await daemon.exit()
        // The store's own read of the log succeeds, and then SQLite's reads fail.
        try disk.shim.fail(.read, of: suffix, error: EIO, after: skip, times: times)
        let next = try await disk.daemon()
        #expect(try disk.shim.hits == Int(times))
        let records = try await disk.client().records(of: nil).map(\.message)
        #expect(records.contains { $0.contains(record) }, "\(records)")
        #expect(try await disk.foundAfterKill(of: next) == ledger.stored)
    }

    @Test(arguments: ["removed", "replaced"])
    func `a store that is removed or replaced under its daemon is written anew with all requests`(
        how: String
    ) async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("before"), to: center, for: disk.app)
        let store = try await center.status().store
        for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
        if how == "replaced" { try Data("another".utf8).write(to: URL(filePath: store)) }
        await ledger.add(disk.request("after"), to: center, for: disk.app)
        #expect(ledger.refusals.isEmpty, "\(ledger.refusals)")
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }

    /// After the failed rename only the open database has the requests, so the daemon must not
    /// close it.
    @Test(arguments: [ENOSPC, EDQUOT])
    func `if the new file of a removed store cannot be renamed, the store is written once more`(
        error: Int32
    ) async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("before"), to: center, for: disk.app)
        let store = try await center.status().store
        try disk.shim.fail(.rename, of: ".ready", error: error, times: 1)
        for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
        await ledger.add(disk.request("after"), to: center, for: disk.app)
        #expect(try disk.shim.hits == 1)
        #expect(ledger.refusals.isEmpty, "\(ledger.refusals)")
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
    }
}
