import DesktopBus
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct NameOwnershipTests {
    @Test func `a name that has an owner is refused to another connection`() async throws {
        let bus = try PrivateBus()
        let (first, second) = (try await connect(bus), try await connect(bus))
        try await first.requestName("test.Name")
        try await first.requestName("test.Name")
        let error = await busError { try await second.requestName("test.Name") }
        #expect(error?.code == .nameUnavailable)
        #expect(try await second.owner(of: "test.Name") == first.uniqueName)
        try await first.releaseName("test.Name")
        #expect(try await second.owner(of: "test.Name") == nil)
        try await second.requestName("test.Name")
    }

    @Test func `a name that another connection takes over is reported as lost`() async throws {
        let bus = try PrivateBus()
        let (first, second) = (try await connect(bus), try await connect(bus))
        let lost = Inbox<Int>()
        try await first.requestName("test.Name", flags: .allowReplacement) { lost.append(1) }
        try await second.requestName("test.Name", flags: .replaceExisting)
        _ = await lost.wait(for: 1)
        #expect(try await first.owner(of: "test.Name") == second.uniqueName)
    }

    @Test func `a subscription to an owner reports the present owner, and then each change`()
        async throws
    {
        let bus = try PrivateBus()
        let (owner, watcher) = (try await connect(bus), try await connect(bus))
        let name = await owner.uniqueName
        let owners = Inbox<BusName?>()
        let subscription = try await watcher.watchOwner(of: "test.Name") { owners.append($0) }
        #expect(owners.values == [nil])
        try await owner.requestName("test.Name")
        #expect(await owners.wait(for: 2) == [nil, name])
        let late = Inbox<BusName?>()
        let second = try await watcher.watchOwner(of: "test.Name") { late.append($0) }
        #expect(late.values == [name])
        await owner.close()
        #expect(await owners.wait(for: 3) == [nil, name, nil])
        second.cancel()
        subscription.cancel()
    }

    @Test func `the bus says which process owns a name`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let name = try #require(await connection.uniqueName)
        let credentials = try await connection.credentials(of: name)
        #expect(credentials.uid == getuid())
        #expect(credentials.pid == UInt32(getpid()))
    }

    @Test func `the bus knows the services that it can start, and reports a failed start`()
        async throws
    {
        let service = """
            [D-BUS Service]
            Name=test.Activated
            Exec=/bin/false

            """
        let bus = try PrivateBus(services: ["test.Activated.service": service])
        let connection = try await connect(bus)
        #expect(try await connection.isActivatable("test.Activated"))
        #expect(try await !connection.isActivatable("test.Absent"))
        let failed = await busError { try await connection.startService("test.Activated") }
        #expect(failed?.remoteName == "org.freedesktop.DBus.Error.Spawn.ChildExited")
        let absent = await busError { try await connection.startService("test.Absent") }
        #expect(absent?.code == .serviceUnknown)
    }
}
