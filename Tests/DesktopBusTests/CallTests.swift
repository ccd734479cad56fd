import DesktopBus
import Reactor
import TestSupport
import Testing

@Suite struct CallTests {
    @Test func openingGivesAUniqueName() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let name = try #require(await connection.uniqueName)
        #expect(name.rawValue.hasPrefix(":"))
        #expect(try await connection.owner(of: name) == name)
    }

    @Test func theAnswerOfTheBusIsDecoded() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let names = try await connection.call(.toBus("ListNames")).arguments[0].stringsValue
        #expect(names?.contains("org.freedesktop.DBus") == true)
    }
}
