import CenterInterface
import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// `Records` on the wire.
@Suite(.timeLimit(.minutes(2))) struct RecordCallTests {
    private static let whole = NotificationRecord(
        app: .tocsin, identifier: "tea", title: "Tea", date: Instant(microseconds: 7),
        due: Instant(microseconds: -5), reason: .refused, message: "the server said no")
    private static let bare = NotificationRecord(
        app: nil, identifier: "", date: Instant(microseconds: 0),
        reason: .init(rawValue: "something new"), message: "")

    @Test(arguments: [whole, bare])
    func `a record is read back unchanged`(record: NotificationRecord) throws {
        let value = NotificationRecord.record.busValue(of: record)
        #expect(try NotificationRecord.record.value(of: value, "the record") == record)
    }

    @Test(
        arguments: [
            [("date", .int64(1))], [("reason", .string("late"))],
            [("date", .int64(1)), ("reason", .int64(1))],
            [("date", .int64(1)), ("reason", .string("late")), ("app", .string("a/b"))],
        ] as [[(String, BusValue)]])
    func `a damaged record is refused`(entries: [(String, BusValue)]) throws {
        #expect(throws: NotificationError.self) {
            try NotificationRecord.record.value(of: .vardict(entries), "the record")
        }
    }

    /// An unreadable reply is a protocol violation, and not a sign of an older daemon.
    @Test func `an older daemon is distinguished from a daemon that answers nonsense`() async throws
    {
        let nonsense = MethodEntry(
            "Records", in: [ArgumentEntry("app", "s"), ArgumentEntry("query", "a{sv}")],
            out: [ArgumentEntry("records", "aa{sv}"), ArgumentEntry("next", "s")]
        ) { _ in [.array(element: "a{sv}", [.vardict([("date", .int64(1))])]), .string("")] }
        for (methods, code) in [
            ([], NotificationError.Code.outdatedDaemon), ([nonsense], .protocolViolation),
        ] {
            let bus = try PrivateBus()
            let connection = try await BusConnection.open(on: bus, name: "other")
            let table = InterfaceTable(
                name: CenterName.interface, methods: methods, signals: [])
            try await connection.export(
                ExportedObject(interfaces: [table]), at: CenterName.path)
            try await connection.requestName(CenterName.bus)
            let client = RemoteService(
                connection: try await .open(on: bus, name: "client"), launcher: nil)
            do {
                _ = try await client.records(of: .tocsin)
                Issue.record("the reply was accepted")
            } catch {
                #expect(error.code == code, "\(error)")
            }
        }
    }

    @Test func `the pages of records reach the caller in order, and an error reaches the caller`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        await center.service.script(Members.records) {
            ListPage(of: [Self.whole, Self.bare], $0.1)
        }
        #expect(try await client.records(of: nil) == [Self.whole, Self.bare])
        let page = try await client.recordPage(ListQuery(limit: 1), of: .tocsin)
        #expect(page.notifications == [Self.whole])
        #expect(page.next == PageCursor(rawValue: "1"))
        let asked = try #require(center.service.inputs(of: Members.records).last)
        #expect(asked == (.tocsin, ListQuery(limit: 1)))
        let error = NotificationError(.invalidArgument, "The list has no such place.")
        await center.service.fail(Members.records, with: error)
        await #expect(throws: error) { _ = try await client.records(of: .tocsin) }
    }
}
