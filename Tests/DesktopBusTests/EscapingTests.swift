import Foundation
import Reactor
import TestSupport
import Testing

@testable import DesktopBus

/// Texts for the bus and for readers of introspection.
@Suite(.timeLimit(.minutes(2))) struct EscapingTests {
    @Test func `hostile texts stay within an attribute of the introspection data`() throws {
        for text in HostileTexts.all {
            let escaped = IntrospectionXML.escape(text).unicodeScalars
            #expect(!escaped.contains("\"") && !escaped.contains("<"))
            #expect(
                escaped.count { $0 == "&" }
                    == text.unicodeScalars.count { "&<\"".unicodeScalars.contains($0) })
        }
    }

    @Test func `hostile paths stay within an address`() throws {
        for text in HostileTexts.withoutNUL where text.utf8.count < 80 {
            let written = try BusAddress(socketPath: "/a/\(text)").rawValue
            #expect(
                written.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !",;'\"".utf8.contains($0) })
            let path = written.dropFirst("unix:path=".count)
            #expect(String(path).removingPercentEncoding == "/a/\(text)")
        }
    }

    @Test(arguments: [
        ("unix:path=/a,guid=1", "unix:path=/a", true),
        ("unix:guid=1,path=/a", "unix:path=/a", true),
        ("unix:path=/a,guid=1;unix:path=/b,guid=2", "unix:path=/a;unix:path=/b", true),
        ("unix:path=/a,guid=1;unix:path=/b", "unix:path=/a", false),
        ("unix:path=/a", "unix:path=/b", false), ("unix:path=/a", "tcp:path=/a", false),
        ("unix:path=/a%2fb", "unix:path=%2Fa/b", true),
        ("tcp:host=a,port=1", "tcp:port=1,guid=2,host=a", true),
        ("unix:path=/a%2cguid=1", "unix:path=/a,guid=1", false),
        ("unix:path=/%ff", "unix:path=/%fe", false),
        ("unix:path=/%", "unix:path=/%25", true), ("unix:path=/%+1", "unix:path=/%01", false),
    ])
    func `two addresses lead to the same bus if only the guid or the spelling differs`(
        _ one: String, _ other: String, isSame: Bool
    ) throws {
        #expect(try BusAddress(one).leads(toSameBusAs: BusAddress(other)) == isSame)
    }

    /// The bus's own parser must read each rule as we mean it.
    ///
    /// Outside of quotes `\'` is an apostrophe; within quotes nothing is special.
    @Test func `the bus accepts match rules with hostile arguments`() async throws {
        let bus = try PrivateBus()
        let connection = BusConnection(address: bus.address, reactor: Reactor.started("rules"))
        try await connection.open()
        for text in HostileTexts.withoutNUL {
            let (signals, feed) = AsyncStream.makeStream(of: BusSignal.self)
            let rule = MatchRule(
                path: "/a", interface: "org.example.A", member: "B", argument0: text)
            let subscription = try await connection.subscribe(rule) { feed.yield($0) }
            try await connection.emit(
                path: "/a", interface: "org.example.A", member: "B", arguments: [.string(text)])
            let heard = await signals.first { _ in true }
            #expect(heard?.arguments.first?.stringValue == text)
            subscription.cancel()
        }
        await connection.close()
    }
}
