import DesktopBus
import NotificationModel
import TestSupport
import Testing

@testable import CenterInterface

/// Values cross the bus unchanged; the decoders accept other programs' input or say what is wrong.
@Suite struct CodingTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `every value of the model comes back unchanged`(seed: UInt64) throws {
        var make = ModelGenerator(seed: seed)
        let request = make.request()
        #expect(
            try NotificationRequest.record.value(
                of: NotificationRequest.record.busValue(of: request), "the request") == request)
        let pending = make.pending()
        #expect(
            try PendingNotification.record.value(
                of: PendingNotification.record.busValue(of: pending), "it") == pending)
        let delivered = make.delivered()
        #expect(
            try DeliveredNotification.record.value(
                of: DeliveredNotification.record.busValue(of: delivered), "it") == delivered)
        let category = make.category()
        #expect(
            try NotificationCategory.record.value(
                of: NotificationCategory.record.busValue(of: category), "it")
                == category)
        let response = make.response()
        #expect(
            try NotificationResponse.record.value(
                of: NotificationResponse.record.busValue(of: response), "the response") == response)
        let status = make.status()
        #expect(
            try ServiceStatus.record.value(of: ServiceStatus.record.busValue(of: status), "it")
                == status)
        let settings = make.settings()
        #expect(
            try ApplicationSettings.record.value(
                of: ApplicationSettings.record.busValue(of: settings), "the settings") == settings)
        let entry = ApplicationPermission(
            app: .tocsin, name: make.text(),
            permission: make.flag() ? make.permission() : nil)
        #expect(
            try ApplicationPermission.record.value(
                of: ApplicationPermission.record.busValue(of: entry), "it") == entry)
        let identity = make.identity()
        let sessionOptions = ApplicationIntroduction.SessionOptions(
            asksBeforePresenting: make.flag(), handlesResponses: make.flag(),
            extendsPushes: make.flag(), identifiers: make.flag() ? ["a", "b"] : nil)
        let back = try ApplicationIntroduction.record.value(
            of: ApplicationIntroduction.record.busValue(
                of: ApplicationIntroduction(identity, sessionOptions)), "it")
        #expect(back.identity == identity)
        #expect(back.sessionOptions == sessionOptions)
    }

    @Test func `catchUp and grace of a request have their own keys`() throws {
        func decoded(_ entries: [(String, BusValue)]) throws -> NotificationRequest {
            try NotificationRequest.record.value(
                of: .vardict([("id", .string("a"))] + entries), "the request")
        }
        let plain = try decoded([])
        #expect(plain.catchUp == .once)
        #expect(plain.grace == nil)
        // A caller who writes a call by hand sends a whole number.
        let skipped = try decoded([("catchUp", .string("skip")), ("grace", .int32(90))])
        #expect(skipped.catchUp == .skip)
        #expect(skipped.grace == 90)
        let record = NotificationRequest.record
        #expect(record.busValue(of: plain).vardictValue?["catchUp"] == nil)
        #expect(record.busValue(of: skipped).vardictValue?["grace"] == .double(90))
        for wrong in [("catchUp", BusValue.string("never")), ("grace", .string("1m"))] {
            let error = #expect(throws: NotificationError.self) { try decoded([wrong]) }
            #expect(error?.message.contains("'\(wrong.0)'") == true)
        }
    }

    @Test func `negative zero keeps its sign, and NaN stays NaN`() throws {
        var content = NotificationContent()
        content.relevanceScore = -0.0
        content.userInfo = ["nan": .real(.nan)]
        let request = NotificationRequest(identifier: "a", content: content)
        let back = try NotificationRequest.record.value(
            of: NotificationRequest.record.busValue(of: request), "the request"
        ).content
        #expect(back.relevanceScore.bitPattern == (-0.0).bitPattern)
        guard case .real(let number) = back.userInfo["nan"] else {
            Issue.record("the value has another kind")
            return
        }
        #expect(number.isNaN)
    }

    @Test func `userInfo may nest sixteen levels and not seventeen`() throws {
        func nested(_ levels: Int) -> NotificationRequest {
            var value = PropertyListValue.string("core")
            for _ in 1..<levels { value = .array([value]) }
            var content = NotificationContent()
            content.userInfo = ["key": value]
            return NotificationRequest(identifier: "a", content: content)
        }
        let deep = nested(16)
        #expect(
            try NotificationRequest.record.value(
                of: NotificationRequest.record.busValue(of: deep), "the request") == deep)
        #expect(throws: NotificationError.self) { try nested(17).content.checkDepth() }
    }

    @Test func `a body that nests too deeply is refused`() {
        var value = BusValue.string("core")
        for _ in 0..<17 { value = .array(element: "v", [.variant(value)]) }
        #expect(throws: NotificationError.self) {
            try NotificationRequest.record.value(
                of:
                    .vardict([
                        ("id", .string("a")), ("userInfo", .vardict([("key", value)])),
                    ]), "the request")
        }
    }

    @Test func `whole numbers of any type and unknown keys are accepted`() throws {
        let request = try NotificationRequest.record.value(
            of:
                .vardict([
                    ("id", .string("a")), ("badge", .byte(3)),
                    ("future", .structure([.bool(true)])),
                    ("relevanceScore", .int32(1)),
                    (
                        "trigger",
                        .vardict([("kind", .string("at")), ("date", .uint32(5))])
                    ),
                    (
                        "userInfo",
                        .dictionary(key: "s", value: "s", [.init(.string("k"), .string("v"))])
                    ),
                ]), "the request")
        #expect(request.content.badge == 3)
        #expect(request.content.relevanceScore == 1)
        #expect(request.trigger == .at(Instant(microseconds: 5)))
        #expect(request.content.userInfo == ["k": .string("v")])
    }

    @Test(
        arguments: [
            ("title", BusValue.int32(5)), ("badge", .string("5")), ("badge", .uint64(.max)),
            ("sound", .string("bell")), ("sound/kind", .vardict([("kind", .string("loud"))])),
            ("attachments", .string("file")), ("attachments", .array(element: "s", [.string("f")])),
            ("userInfo", .strings(["a"])),
            ("userInfo", .dictionary(key: "i", value: "s", [.init(.int32(1), .string("v"))])),
            ("level", .string("loud")), ("relevanceScore", .bool(true)),
            ("desktop/urgency", .vardict([("urgency", .int32(300))])),
            ("desktop/hints/x", .vardict([("hints", .vardict([("x", .int64(1))]))])),
            ("trigger/kind", .vardict([])),
            ("trigger/kind", .vardict([("kind", .string("someday"))])),
            ("trigger/seconds", .vardict([("kind", .string("interval"))])),
            ("id", .int64(7)),
        ])
    func `a value of a wrong type is refused, and the error names its key`(
        path: String, value: BusValue
    ) throws {
        let keys = path.split(separator: "/").map(String.init)
        let entries = [("id", BusValue.string("a")), (keys[0], value)]
        let error = try #require(throws: NotificationError.self) {
            try NotificationRequest.record.value(of: .vardict(entries), "the request")
        }
        #expect(error.code == .invalidArgument)
        let place = keys.reversed().map { "'\($0)' of " }.joined()
        #expect(error.message.hasPrefix("The key \(place)the request "), "\(error.message)")
        #expect(!error.message.contains("\n"))
    }

    @Test func `every error comes back with its code and message`() {
        for code in NotificationError.Code.allCases {
            let error = NotificationError(code, "It was tried; it failed; do this.")
            #expect(NotificationError(error.busError) == error)
        }
    }
}
