import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Faults 15 to 17 and 20: a disk that is full, fails, or writes less than it was given, and a store
/// that goes.
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

    @Test func `a request whose commit could not be synced is not stored by a daemon killed then`()
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
        (DiskShim.Operations.write, EIO), (.write, ENOSPC), (.sync, EIO), (.truncate, EIO),
        (.read, EIO),
    ])
    func `an operation that fails once refuses what it was for and keeps all that was acknowledged`(
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
            try disk.shim.heal()
            // Whatever failed, it works again.
            let refused = ledger.refusals.count
            await ledger.add(disk.request("healed \(skip)"), to: center, for: disk.app)
            #expect(ledger.refusals.count == refused, "\(ledger.refusals.last as Any)")
            #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored, "after \(skip)")
        }
        for (identifier, refusal) in ledger.refusals {
            let code: NotificationError.Code = error == ENOSPC ? .noSpace : .storeUnavailable
            #expect(refusal.code == code, "\(identifier): \(refusal)")
        }
    }

    @Test func `a checkpoint that cannot be synced loses nothing`() async throws {
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
        #expect(try disk.shim.hits > 0, "no checkpoint was tried")
        #expect(ledger.refusals.isEmpty, "\(ledger.refusals.first as Any)")
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
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

    @Test
    func `on a full disk what is due is shown and what is new is refused until there is room`()
        async throws
    {
        let disk = try await FailingDisk()
        let server = try await ScriptedServer.start(on: disk.bus)
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("later"), to: center, for: disk.app)
        try await center.add(
            NotificationRequest(
                identifier: "soon", content: NotificationContent(title: "soon"),
                trigger: .interval(seconds: 1, repeats: false)), attachments: [], for: disk.app)
        try disk.shim.fail([.write, .allocate], error: ENOSPC)
        await ledger.add(disk.request("new"), to: center, for: disk.app)
        #expect(ledger.refusals.map(\.error.code) == [.noSpace])
        try disk.shim.heal()
        await ledger.add(disk.request("room"), to: center, for: disk.app)
        #expect(ledger.refusals.count == 1, "\(ledger.refusals.last as Any)")
        try await server.calls.wait(for: "what was due") { $0.contains { $0.summary == "soon" } }
        #expect(server.calls.all.map(\.summary) == ["soon"])
        #expect(try await disk.foundAfterKill(of: daemon) == ledger.stored)
        await server.stop()
    }

    @Test(arguments: [(DiskShim.Operations.open, EACCES), (.open, EIO), (.write, ENOSPC)])
    func `a daemon whose store cannot be opened says so, ends, and leaves it as it was`(
        operation: DiskShim.Operations, error: Int32
    ) async throws {
        let disk = try await FailingDisk()
        let daemon = try await disk.daemon()
        let center = try await disk.client()
        var ledger = DiskLedger()
        await ledger.add(disk.request("a"), to: center, for: disk.app)
        daemon.signal(SIGTERM)
        try await daemon.exit()
        try disk.shim.fail(operation, of: "center.sqlite", error: error)
        let failing = try RunningProgram(
            try HostedService.program("tocsind"), [],
            environment: disk.bus.environment.merging(disk.shim.environment) { $1 })
        if operation == .open {
            #expect(try await failing.exit() == 1)
            try await failing.lines.untilFinished()
            #expect(failing.said.contains("could not be opened"), "\(failing.said)")
        }
        #expect(try await disk.foundAfterKill(of: failing) == ledger.stored)
    }

    @Test(arguments: ["removed", "replaced"])
    func `a store that goes under a running daemon is written anew with all its requests`(
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
}
