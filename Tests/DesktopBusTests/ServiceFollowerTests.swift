import DesktopBus
import Foundation
import TestSupport
import Testing

/// A follower reports the owner of a service's name, or whether the bus can start the service.
@Suite(.timeLimit(.minutes(2))) struct ServiceFollowerTests {
    private static let name: BusName = "test.Service"
    /// A service that the bus starts, and that ends before it owns its name.
    private static let failing = """
        [D-BUS Service]
        Name=test.Service
        Exec=/bin/false

        """

    /// A follower on a bus, and everything that it reports.
    private struct Follower {
        let bus: PrivateBus
        let follower: ServiceFollower
        let told = Inbox<ServiceAvailability?>()

        init(
            services: [String: String] = [:], backoff: Backoff = Backoff(first: .seconds(3_600))
        ) async throws {
            bus = try PrivateBus(services: services)
            follower = ServiceFollower(
                ServiceFollowerTests.name, on: try await connect(bus), backoff: backoff)
        }

        func follow() async throws {
            try await follower.follow { [told] in told.append($0) }
        }
    }

    @Test func `the follower reports an owner when it comes and when it goes`() async throws {
        let stage = try await Follower()
        try await stage.follow()
        #expect(await stage.told.wait(for: 2) == [nil, .absent])
        let owner = try await connect(stage.bus)
        let unique = try #require(await owner.uniqueName)
        try await owner.requestName(Self.name)
        #expect(await stage.told.wait(for: 3).last == .running(unique))
        await owner.close()
        #expect(await stage.told.wait(for: 5).suffix(2) == [nil, .absent])
    }

    @Test func `the follower reports at once an owner that replaces another owner`() async throws {
        let stage = try await Follower()
        let (first, second) = (try await connect(stage.bus), try await connect(stage.bus))
        let names = [try #require(await first.uniqueName), try #require(await second.uniqueName)]
        try await first.requestName(Self.name, flags: .allowReplacement)
        try await stage.follow()
        try await second.requestName(Self.name, flags: .replaceExisting)
        #expect(await stage.told.wait(for: 2) == names.map { .running($0) })
    }

    @Test func `a service that does not start is reported as absent during the backoff`()
        async throws
    {
        let stage = try await Follower(
            services: ["test.Service.service": Self.failing],
            backoff: Backoff(first: .milliseconds(1)))
        try await stage.follow()
        #expect(await stage.told.wait(for: 2) == [nil, .startable])
        await stage.follower.start(timeout: .seconds(60))
        let told = await stage.told.wait(for: 6)
        #expect(told.suffix(4) == [nil, .absent, nil, .startable])
    }

    @Test func `a service that does not answer is reported as absent during the backoff`()
        async throws
    {
        let stage = try await Follower(backoff: Backoff(first: .milliseconds(1)))
        let owner = try await connect(stage.bus)
        let unique = try #require(await owner.uniqueName)
        try await owner.requestName(Self.name)
        try await stage.follow()
        await stage.follower.startFailed()
        let told = await stage.told.wait(for: 3)
        #expect(told == [.running(unique), .absent, .running(unique)])
    }

    @Test func `a service that is installed during the backoff ends the backoff`() async throws {
        let stage = try await Follower()
        try await stage.follow()
        _ = await stage.told.wait(for: 2)
        await stage.follower.startFailed()
        #expect(await stage.told.wait(for: 3).last == .absent)
        try Self.failing.write(
            toFile: "\(stage.bus.directory)/services/test.Service.service", atomically: true,
            encoding: .utf8)
        let caller = try await connect(stage.bus)
        _ = try await caller.call(.toBus("ReloadConfig"))
        // The bus may read the folder before the file is complete, and then reads it again.
        try await stage.told.last("the installed service") { $0 == .startable }
    }

    @Test func `the availability of a name can be read without a follower`() async throws {
        let bus = try PrivateBus(services: ["test.Service.service": Self.failing])
        let connection = try await connect(bus)
        #expect(try await connection.availability(of: Self.name) == .startable)
        #expect(try await connection.availability(of: "test.Absent") == .absent)
        try await connection.requestName(Self.name)
        let unique = try #require(await connection.uniqueName)
        #expect(try await connection.availability(of: Self.name) == .running(unique))
    }
}
