import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// JSON and bus values of any form are read or refused, and no bad item hides other items.
@Suite(.timeLimit(.minutes(10))) struct DecodingFuzzTests {
    private static func json(_ value: RecordValue) -> String {
        RecordJSON.text(value, isFree: true)
    }

    @Test func `a text of any bytes is refused, or its value is the same after a round trip`()
        throws
    {
        var readCount = 0
        try FuzzRun("json-values", rounds: 60).rounds { _, random in
            var make = ModelGenerator(seed: random.next())
            let value = NotificationRequest.record.busValue(of: make.request())
            let item = BusValue.vardict([
                ("app", .string("org.tocsin.Tocsin")), ("created", .int64(1_795_258_800_000_000)),
                ("request", value),
                ("identity", ApplicationIdentity.record.busValue(of: make.identity())),
            ])
            let mutator = Mutator(
                seeds: [Array(Self.json(RecordValue(item)).utf8)],
                words: ["{", "}", "\"$date\":", "\"$data\":\"A\"", "\"$real\":\"nan\"", "[[[[[["])
            for _ in 0..<10 {
                let bytes = mutator.mutant(&random)
                guard let read = try? RecordJSON.value(of: bytes) else { continue }
                readCount += 1
                let written = Self.json(read)
                let again = try RecordJSON.value(of: Array(written.utf8))
                #expect(Self.json(again) == written)
                _ = try? InboxCoding.item(bytes, id: "x")
                _ = try? ExtensionDocument.readOutput(bytes)
                _ = try? ExtensionDocument.readInput(bytes)
                _ = try? NotificationRequest.record.value(
                    of: BusValue(read), "the request")
            }
        }
        #expect(readCount > 0, "some mutants must be read")
    }

    @Test func `a bus value of any form is refused, or its property list comes back unchanged`()
        throws
    {
        var listCount = 0
        try FuzzRun("property-lists", rounds: 1_000).rounds { _, random in
            var make = HostileBody(seed: random.next())
            let body = make.body()
            func read(_ value: BusValue) throws -> PropertyListValue {
                try RecordValue(value).propertyList("userInfo")
            }
            guard case .dictionary(let list)? = try? read(body) else { return }
            listCount += 1
            let back = BusValue(RecordValue.tree(list))
            guard case .dictionary(let second) = try read(back) else {
                throw HarnessError("a dictionary went, and something else came back")
            }
            // A NaN does not equal itself. So the lists may differ if two reads of one body differ.
            #expect(try second == list || read(body) != .dictionary(list))
            let again = BusValue(RecordValue.tree(second))
            #expect(Self.json(RecordValue(again)) == Self.json(RecordValue(back)))
        }
        #expect(listCount > 0, "some mutants must be read")
    }

    @Test func `one item that the bus cannot carry is left out of its page and reported`()
        async throws
    {
        let bus = try PrivateBus()
        let service = ScriptedService()
        let connection = try await BusConnection.open(on: bus, name: "center")
        let reports = Recording<NotificationKey>()
        let exporter = ServiceExporter(
            service: service, connection: connection,
            report: { key, _ in reports.append(key) }
        ) { _ in CallerRights(scope: .user) }
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        let client = try await RemoteService.open(
            connection: .open(on: bus, name: "client"), launcher: nil)
        func request(_ identifier: String, _ info: PropertyListValue) -> NotificationRequest {
            var content = NotificationContent(title: "T")
            content.userInfo = ["k": info]
            return NotificationRequest(identifier: identifier, content: content)
        }
        var deep = PropertyListValue.string("leaf")
        for _ in 0..<40 { deep = .array([deep]) }
        let all = [
            request("a", .string("good")), request("b", .string("a\0b")), request("c", deep),
            request("d", .dictionary(["a\0": .integer(1)])), request("e", .string("good")),
        ]
        try await service.add(all.map { RequestWithFiles($0) }, for: .tocsin)
        await service.script(Members.delivered) { _ in
            let delivered = all.map {
                DeliveredNotification(app: .tocsin, request: $0, date: Instant(microseconds: 1))
            }
            return ListPage(notifications: delivered, next: nil)
        }
        for _ in 0..<2 {
            #expect(try await client.pending(of: nil).map(\.request.identifier) == ["a", "e"])
            #expect(try await client.delivered(of: nil).map(\.request.identifier) == ["a", "e"])
        }
        // The exporter reports each unsendable item only once, however often a list contains it.
        let keys = try await reports.wait(for: "three reports") { $0.count >= 3 }
        #expect(keys.map(\.identifier).sorted() == ["b", "c", "d"])
        let session = try await client.connect(
            ApplicationIdentity(id: .tocsin, name: "N"), asksBeforePresenting: false,
            identifiers: nil
        ) { _ in }
        let other = request("f", .string("\0"))
        await service.send(
            .response(
                NotificationResponse(
                    id: 1,
                    notification: DeliveredNotification(
                        app: .tocsin, request: other, date: Instant(microseconds: 1)),
                    action: .standard, activationToken: nil)))
        try await reports.wait(for: "the response's report") { $0.last?.identifier == "f" }
        await client.disconnect(session)
    }

    @Test func `one connection adds for a limited number of apps, and reads for any app`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(
            on: PrivateBus(), rights: CallerRights(scope: .user))
        let client = try await center.client()
        let request = NotificationRequest(
            identifier: "a", content: NotificationContent(title: "T"))
        for number in 0..<Limits.appsOfProgram.most {
            try await client.add(
                request, attachments: [], for: ApplicationID("org.example.A\(number)"))
        }
        let error = await #expect(throws: NotificationError.self) {
            try await client.add(request, attachments: [], for: ApplicationID("org.example.B"))
        }
        #expect(error?.code == .limitReached)
        _ = try await client.pending(of: ApplicationID("org.example.C"))
        try await client.add(request, attachments: [], for: ApplicationID("org.example.A0"))
        try await center.client().add(
            request, attachments: [], for: ApplicationID("org.example.B"))
    }
}
