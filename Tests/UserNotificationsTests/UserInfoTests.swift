import CenterInterface
import NotificationModel
import Testing
import UserNotifications

@Suite struct UserInfoTests {
    @Test func `numbers in user info keep their kinds`() throws {
        let info: [AnyHashable: Any] = [
            "true": true, "false": NSNumber(value: false), "one": 1, "two": 2.0,
            "float": Float(0.5), "cg": CGFloat(1), "byte": UInt8(200),
            "boxed": NSNumber(value: Int64.max), "int8": Int8(1),
        ]
        #expect(
            try [String: PropertyListValue](userInfo: info) == [
                "true": .boolean(true), "false": .boolean(false), "one": .integer(1),
                "two": .real(2), "float": .real(0.5), "cg": .real(1), "byte": .integer(200),
                "boxed": .integer(.max), "int8": .integer(1),
            ])
    }

    @Test func `nested user info comes back from the model unchanged`() throws {
        let info: [AnyHashable: Any] = [
            "text": "x", "ns": NSString("y"), "date": Date(timeIntervalSince1970: 1.5),
            "data": Data([0, 255]), "list": [1, "two", [3.5, false]] as [Any],
            "map": ["inner": ["deep": NSNull()].count, "s": "t"] as [String: Any],
            "nsmap": NSDictionary(dictionary: ["k": NSArray(array: [1])]),
        ]
        let model = try [String: PropertyListValue](userInfo: info)
        #expect(model["date"] == .date(Instant(microseconds: 1_500_000)))
        #expect(
            model["list"]
                == .array([.integer(1), .string("two"), .array([.real(3.5), .boolean(false)])]))
        #expect(model["nsmap"] == .dictionary(["k": .array([.integer(1)])]))
        let back = model.foundationObjects
        #expect(try [String: PropertyListValue](userInfo: back) == model)
        #expect(back["text"] as? String == "x")
        #expect(back["date"] as? Date == Date(timeIntervalSince1970: 1.5))
        #expect(back["data"] as? Data == Data([0, 255]))
        #expect((back["map"] as? [String: Any])?["inner"] as? Int == 1)
        #expect((back["list"] as? [Any])?.count == 3)
    }

    /// An app may compare this date with the date of its own object.
    @Test(arguments: [
        820_000_000, 820_000_000.123_456_7, 820_000_000.999_999_9, -978_307_200.000_000_1,
    ])
    func `a date in user info comes back equal from the store and the bus`(
        seconds: TimeInterval
    ) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let record = NotificationContent.record
        var content = NotificationContent(title: "date")
        content.userInfo = try .init(userInfo: ["date": date])
        let bytes = try RecordJSON.bytes(of: record.entries(of: content), "the content")
        let stored = try record.value(of: RecordJSON.entries(of: bytes, "it"), "the content")
        #expect(stored.userInfo.foundationObjects["date"] as? Date == date)
        let sent = try record.value(of: record.busValue(of: content), "the content")
        #expect(sent.userInfo.foundationObjects["date"] as? Date == date)
    }

    @Test func `a whole number can be read as any number type`() {
        let back = ["n": PropertyListValue.integer(42)].foundationObjects
        #expect(back["n"] as? Int == 42)
        #expect(back["n"] as? Int64 == 42)
        #expect(back["n"] as? Double == 42)
        #expect(back["n"] as? String == nil)
    }

    @Test func `a value that is no property list gets an error that names its key path`() throws {
        let cases: [([AnyHashable: Any], String)] = [
            (["a": ["b": URL(fileURLWithPath: "/")]], "'a.b'"),
            (["list": [1, UUID()]], "'list.1'"), ([1: "x"], "'1' is not a string"),
            (["big": UInt64.max], "'big'"), (["null": NSNull()], "NSNull"),
            (["never": Date(timeIntervalSince1970: .infinity)], "out of range"),
        ]
        for (info, part) in cases {
            let error = #expect(throws: NotificationError.self) {
                try [String: PropertyListValue](userInfo: info)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `user info nested deeper than the model's limit is refused`() throws {
        func nested(_ levels: Int) -> [AnyHashable: Any] {
            (1..<levels).reduce(["k": 1] as [AnyHashable: Any]) { inner, _ in ["k": inner] }
        }
        let limit = PropertyListValue.maximumDepth
        let deepest = try [String: PropertyListValue](userInfo: nested(limit))
        #expect(PropertyListValue.dictionary(deepest).depth == limit)
        #expect(throws: NotificationError.self) {
            try [String: PropertyListValue](userInfo: nested(limit + 1))
        }
    }
}
