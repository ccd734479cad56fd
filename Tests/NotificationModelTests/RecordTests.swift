import NotificationModel
import TestSupport
import Testing

/// Values as records, and records as JSON.
@Suite struct RecordTests {
    private static func back(_ text: String) throws -> NotificationRequest {
        try NotificationRequest.record.value(
            of: RecordJSON.entries(of: Array(text.utf8), "the text"), "the request")
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `every request is read back unchanged from JSON`(seed: UInt64) throws {
        var make = ModelGenerator(seed: seed)
        let request = make.request()
        let text = RecordJSON.text(.record(NotificationRequest.record.entries(of: request)))
        #expect(!text.contains("\n"))
        #expect(try Self.back(text) == request, "\(text)")
    }

    @Test func `bytes, dates and values that look like their JSON forms are read back unchanged`()
        throws
    {
        var content = NotificationContent()
        content.userInfo = [
            "bytes": .data([0, 255]), "date": .date(Instant(microseconds: 1_500_000)),
            "far": .date(Instant(microseconds: .min)), "none": .real(-.infinity),
            "like": .dictionary(["$data": .string("AP8=")]),
            "twice": .dictionary(["$dictionary": .dictionary(["$date": .integer(1)])]),
            // The first scalar of this key is a dollar sign, but its first `Character` is not.
            "composed": .dictionary(["$\u{301}": .array([.dictionary(["$real": .string("inf")])])]),
        ]
        content.desktop = DesktopOptions()
        content.desktop?.hints = ["byte": .byte(7), "whole": .integer(7), "real": .double(7)]
        content.desktop?.urgency = 2
        let request = NotificationRequest(identifier: "a", content: content)
        let text = RecordJSON.text(.record(NotificationRequest.record.entries(of: request)))
        #expect(try Self.back(text) == request)
        let parts = [
            #""bytes":{"$data":"AP8="}"#, #""date":{"$date":"1970-01-01T00:00:01.5Z"}"#,
            #""like":{"$dictionary":{"$data":"AP8="}}"#, #""byte":{"$byte":7}"#, #""whole":7}"#,
            #""urgency":2"#,
        ]
        for part in parts { #expect(text.contains(part), "\(text)") }
    }

    @Test func `a NaN is refused in a stored record`() {
        var content = NotificationContent()
        content.relevanceScore = .nan
        let entries = NotificationContent.record.entries(of: content)
        let error = #expect(throws: NotificationError.self) {
            try RecordJSON.bytes(of: entries, "the request 'a'")
        }
        #expect(error?.message.contains("the request 'a'") == true)
    }

    @Test func `dates with different offsets in JSON are read as one instant`() throws {
        let noon = Instant(microseconds: 1_798_110_000_000_000)
        #expect(noon.rfc3339 == "2026-12-24T11:00:00Z")
        for text in [
            "2026-12-24T11:00:00Z", "2026-12-24t11:00:00.000z", "2026-12-24 12:00:00+01:00",
            "2026-12-24T05:30:00.0000009-05:30",
        ] {
            #expect(Instant(rfc3339: text) == noon, "\(text)")
        }
        for text in [
            "", "2026-12-24", "2026-13-24T11:00:00Z", "2026-02-29T11:00:00Z",
            "2026-12-24T24:00:00Z", "2026-12-24T11:00:00", "2026-12-24T11:00:00.Z",
            "2026-12-24T11:00:00+1:00", "2026-12-24T11:00:00Zz", "+026-12-24T11:00:00Z",
        ] {
            #expect(Instant(rfc3339: text) == nil, "\(text)")
        }
        for microseconds: Int64 in [-62_167_219_200_000_000, -1, 0, 1, 253_402_300_799_999_999] {
            let instant = Instant(microseconds: microseconds)
            #expect(instant.rfc3339.flatMap { Instant(rfc3339: $0) } == instant)
        }
        #expect(Instant(microseconds: .max).rfc3339 == nil)
    }

    @Test(
        arguments: [
            (#"{"title":"a"}"#, "The key 'id' of the request is missing."),
            (#"{"id":7}"#, "The key 'id' of the request is 7; it must be a string."),
            (
                #"{"id":"a","level":"loud"}"#,
                "The key 'level' of the request is 'loud'; it must be passive, active, "
                    + "time-sensitive or critical."
            ),
            (
                #"{"id":"a","desktop":{"urgency":300}}"#,
                "The key 'urgency' of 'desktop' of the request is 300; it must be a whole number "
                    + "from 0 to 255."
            ),
            (
                #"{"id":"a","badge":9223372036854775808}"#,
                "The key 'badge' of the request is 9223372036854775808; it must be a whole number "
                    + "of at most 9223372036854775807."
            ),
            (
                #"{"id":"a","trigger":{"kind":"someday"}}"#,
                "The key 'kind' of 'trigger' of the request is 'someday'; it must be interval, at, "
                    + "calendar, rule, region or push."
            ),
            (
                #"{"id":"a","trigger":{"kind":"interval"}}"#,
                "The key 'seconds' of 'trigger' of the request is missing."
            ),
            (
                #"{"id":"a","sound":{"kind":"named"}}"#,
                "The key 'name' of 'sound' of the request is missing."
            ),
        ])
    func `an error names the key that is missing or has an invalid value`(
        text: String, message: String
    ) {
        let error = #expect(throws: NotificationError.self) { try Self.back(text) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == message)
    }

    @Test func `an unknown key is ignored, and the last of equal keys is used`() throws {
        let request = try Self.back(
            #"{"title":"a","future":{"x":[1]},"id":"a","title":"b","badge":null}"#)
        #expect(request == NotificationRequest(identifier: "a", content: .init(title: "b")))
    }

    @Test func `no two fields of a request have the same name`() {
        let names = NotificationRequest.record.names
        #expect(Set(names).count == names.count)
        #expect(Set(NotificationContent.record.names).isSubset(of: names))
    }
}
