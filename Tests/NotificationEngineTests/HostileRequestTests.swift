import Foundation
import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// The engine's stored texts, keys and numbers, each replaced by hostile values in turn.
@Suite(.timeLimit(.minutes(2))) struct HostileRequestTests {
    @Test func `a NUL is refused in every text and every key of a request`() throws {
        for request in NotificationRequest.everyField {
            #expect(throws: Never.self) { try RequestCheck.payload(of: request) }
            let changed = try JSONMutation.texts(of: request, as: NotificationRequest.record) {
                $0 + "\0"
            }
            #expect(changed.count > 20)
            for (path, hostile) in changed {
                let error = #expect(throws: NotificationError.self, "\(path)") {
                    try RequestCheck.payload(of: hostile)
                }
                #expect(error?.message.contains("\0") == false)
            }
        }
    }

    @Test func `a NUL is refused in every text of a category and an identity`() throws {
        let categories = try JSONMutation.texts(
            of: .everyField, as: NotificationCategory.record
        ) { $0 + "\0" }
        #expect(categories.count > 5)
        for (path, hostile) in categories {
            #expect(throws: NotificationError.self, "\(path)") {
                try RequestCheck.check([hostile], of: .tocsin)
            }
        }
        let identities = try JSONMutation.texts(
            of: .everyField, as: ApplicationIdentity.record
        ) { $0 + "\0" }
        #expect(identities.count > 5)
        for (path, hostile) in identities where path.last != "id" {
            #expect(throws: NotificationError.self, "\(path)") {
                try RequestCheck.check(hostile, identifiers: nil)
            }
        }
    }

    /// Even a row with a correct checksum may contain any number.
    @Test func `a stored row with any numbers is listed or left out, and no calculation overflows`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        var count = 0
        for (index, request) in NotificationRequest.everyField.enumerated() {
            var request = request
            // One request is enough to try each number of the content.
            if index > 0 { request.content = NotificationContent(title: "T") }
            for (path, hostile) in try JSONMutation.numbers(
                of: request, as: NotificationRequest.record)
            {
                var hostile = hostile
                hostile.identifier = "h\(count)"
                hostile.content.attachments = []
                count += 1
                let payload = try PayloadCoding.encode(hostile)
                let dues = [
                    DueTime(after: 60_000_000, fixture.clock.now()),
                    DueTime(wall: Instant(microseconds: .max - 1), boot: .max - 1),
                    DueTime(wall: Instant(microseconds: .min), boot: .min),
                ]
                let due = dues[count % dues.count]
                do {
                    let name = "\(hostile.identifier) \(path)"
                    _ = try await engine.store.add(
                        [
                            .request(
                                NewRequest(
                                    app: .tocsin, identifier: hostile.identifier, payload: payload,
                                    due: due, files: []))
                        ], for: .tocsin)
                    for _ in 0..<2 {
                        _ = try? await engine.skip(hostile.identifier, of: .tocsin)
                        _ = try? await engine.snooze(hostile.identifier, of: .tocsin, for: 3e10)
                    }
                    let page = ListQuery(identifiers: [hostile.identifier])
                    let listed = try await engine.pendingPage(page, of: .tocsin).notifications
                    #expect(listed.count <= 1, "\(name)")
                    try await engine.removePending(
                        .identifiers([hostile.identifier]), of: .tocsin)
                }
            }
        }
        #expect(count > 100)
        await engine.stop()
    }

    @Test func `a stored row with a NUL is left out of its page, and other rows are listed`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        try await engine.add(.after(60, "good"), attachments: [], for: .tocsin)
        let bad = try PayloadCoding.encode(.after(60, "bad", repeats: true))
        let payload = try #require(
            String(data: bad, encoding: .utf8)?.replacing("a text", with: "a\\u0000text"))
        _ = try await engine.store.add(
            [
                .request(
                    NewRequest(
                        app: .tocsin, identifier: "bad", payload: Data(payload.utf8),
                        due: DueTime(after: 1, fixture.clock.now()), files: []))
            ], for: .tocsin)
        #expect(try await engine.pending(of: nil).map(\.request.identifier) == ["good"])
        await engine.stop()
    }

    @Test func `an app may not use the identifier of the summary of missed requests`() async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        let name = MissedSummary.identifier
        await #expect(throws: NotificationError.self) {
            try await engine.add(.after(60, name), attachments: [], for: .tocsin)
        }
        await #expect(throws: NotificationError.self) {
            try await engine.add([.init(.after(60, name))], for: .tocsin)
        }
        await #expect(throws: NotificationError.self) {
            _ = try await engine.push(
                Array(#"{"aps":{"alert":"x"}}"#.utf8),
                headers: PushHeaders(collapseIdentifier: name), for: .tocsin)
        }
        await #expect(throws: NotificationError.self) {
            try await engine.importEntry(
                InboxEntry(
                    entryID: "m", date: fixture.clock.now().wall, item: .init(.after(60, name))),
                for: .tocsin)
        }
        #expect(try await engine.pending(of: nil).isEmpty)
        await engine.stop()
    }

    @Test(arguments: ["day at 9:00", "1h", "calendar *-*-* 09:00:00", "cron 0 9 * * *"])
    func `a request whose rule has ended is refused, and does not replace the earlier request`(
        text: String
    ) async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        try await engine.add(.after(60, "a"), attachments: [], for: .tocsin)
        let rule = NotificationRule(text, until: fixture.clock.now().wall)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(.sample("a", .rule(rule)), attachments: [], for: .tocsin)
        }
        #expect(error?.code == .noDate)
        #expect(try await engine.pending(of: nil).count == 1)
        await engine.stop()
    }
}

/// Replaces each text, or each number, of a model's value in turn.
///
/// The mutation follows the table of fields, so that new fields are included.
enum JSONMutation {
    static let numbers: [NSNumber] = [
        NSNumber(value: Int64.min), -1, 0, 1, NSNumber(value: Int64.max - 1),
        NSNumber(value: Int64.max), 1e300, -1e300, 0.5,
    ]

    static func texts<Value>(
        of value: Value, as record: NotificationModel.Record<Value>, _ change: (String) -> String
    ) throws -> [([String], Value)] {
        try mutations(of: value, as: record) { leaf in
            (leaf as? String).map { [change($0)] } ?? []
        } keys: {
            [change($0)]
        }.filter { _, value in
            // The reader ignores a renamed member of a structure, so that value has no NUL.
            RecordJSON.text(.record(record.entries(of: value))).contains("\\u0000")
        }
    }

    static func numbers<Value>(
        of value: Value, as record: NotificationModel.Record<Value>
    ) throws -> [([String], Value)] {
        try mutations(of: value, as: record) { leaf in
            leaf is NSNumber && !(leaf is String) ? numbers : []
        } keys: { _ in
            []
        }
    }

    private static func mutations<Value>(
        of value: Value, as record: NotificationModel.Record<Value>, _ leaves: (Any) -> [Any],
        keys: (String) -> [String]
    ) throws -> [([String], Value)] {
        let bytes = try RecordJSON.bytes(of: record.entries(of: value), "it")
        let tree = try JSONSerialization.jsonObject(with: Data(bytes))
        return variants(of: tree, [], leaves, keys).compactMap { path, tree in
            // Skip a text that is not a value of the model.
            guard let data = try? JSONSerialization.data(withJSONObject: tree),
                let entries = try? RecordJSON.entries(of: Array(data), "it"),
                let value = try? record.value(of: entries, "it")
            else { return nil }
            return (path, value)
        }
    }

    private static func variants(
        of tree: Any, _ path: [String], _ leaves: (Any) -> [Any], _ keys: (String) -> [String]
    ) -> [([String], Any)] {
        switch tree {
        case let members as [String: Any]:
            return members.flatMap { key, value -> [([String], Any)] in
                let inner = variants(of: value, path + [key], leaves, keys).map { path, value in
                    (path, members.merging([key: value]) { $1 } as Any)
                }
                let renamed = keys(key).map { name -> ([String], Any) in
                    var other = members
                    other[name] = other.removeValue(forKey: key)
                    return (path + [name], other)
                }
                return inner + renamed
            }
        case let elements as [Any]:
            return elements.indices.flatMap { index in
                variants(of: elements[index], path + ["\(index)"], leaves, keys).map {
                    path, value in
                    var other = elements
                    other[index] = value
                    return (path, other as Any)
                }
            }
        default: return leaves(tree).map { (path, $0) }
        }
    }
}
