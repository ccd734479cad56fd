import NotificationModel
import Testing

/// The content of a remote notification, key by key as Apple documents it.
@Suite struct PushPayloadTests {
    private static func payload(_ text: String) throws -> PushPayload {
        try PushPayload(Array(text.utf8))
    }

    private static func aps(_ text: String) throws -> NotificationContent {
        try payload(#"{"aps":{\#(text)}}"#).content
    }

    private static func message(_ text: String) -> String {
        let error = #expect(throws: NotificationError.self) { try payload(text) }
        #expect(error?.code == .invalidArgument)
        return error?.message ?? ""
    }

    @Test func `an alert string sets the body, and an alert dictionary sets every text`() throws {
        #expect(try Self.aps(#""alert":"Hello""#).body == "Hello")
        let content = try Self.aps(
            #"""
            "alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L.png",
            "summary-arg":"Anna","summary-arg-count":3}
            """#)
        #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
        #expect(content.launchImageName == "L.png")
        #expect(content.summaryArgument == "Anna" && content.summaryArgumentCount == 3)
        #expect(content.localization == nil)
    }

    @Test func `the headers in a payload are read, and are not in the app's user info`() throws {
        let push = try Self.payload(
            #"""
            {"aps":{"alert":"x"},"apns-headers":{"apns-collapse-id":"score","apns-priority":5,
            "apns-expiration":1798761600,"apns-topic":"org.example"},"mine":1}
            """#)
        #expect(
            push.headers
                == PushHeaders(
                    collapseIdentifier: "score", priority: .normal,
                    expiration: Instant(microseconds: 1_798_761_600_000_000)))
        #expect(push.content.userInfo["apns-headers"] == nil)
        #expect(push.content.userInfo["mine"] == .integer(1))
        #expect(try Self.payload(#"{"aps":{}}"#).headers == PushHeaders())
    }

    @Test(arguments: [
        #"1"#, #"{"apns-collapse-id":1}"#, #"{"apns-priority":7}"#, #"{"apns-priority":5.5}"#,
        #"{"apns-expiration":-1}"#, #"{"apns-expiration":1e300}"#, #"{"apns-expiration":"soon"}"#,
    ])
    func `a payload with an unusable header is refused`(_ headers: String) {
        let message = Self.message(#"{"aps":{"alert":"x"},"apns-headers":\#(headers)}"#)
        #expect(!message.isEmpty)
    }

    @Test(arguments: ["7", "-3", "5.5"])
    func `the error for an unknown priority quotes the number in the payload`(number: String) {
        let message = Self.message(
            #"{"aps":{"alert":"x"},"apns-headers":{"apns-priority":\#(number)}}"#)
        #expect(message.hasPrefix("The priority is \(number). "), "\(message)")
    }

    @Test func `the headers of a call override the headers of the payload`() {
        let payload = PushHeaders(collapseIdentifier: "a", priority: .low)
        #expect(PushHeaders().completed(by: payload) == payload)
        let call = PushHeaders(collapseIdentifier: "b", priority: .normal)
        #expect(call.completed(by: payload) == call)
    }

    @Test func `each payload key sets its property`() throws {
        let push = try Self.payload(
            #"""
            {"aps":{"alert":"x","badge":9,"sound":"bell.wav","thread-id":"t","category":"c",
            "content-available":1,"mutable-content":1,"target-content-id":"w","filter-criteria":"f",
            "interruption-level":"time-sensitive","relevance-score":0.75,"future-key":[1]},
            "mine":{"deep":[true,null,1,2.5,"a"],"none":null},"Simulator Target Bundle":"org.a.B"}
            """#)
        let content = push.content
        #expect(content.badge == 9)
        #expect(content.sound == NotificationSound(.named("bell.wav")))
        #expect(content.threadIdentifier == "t" && content.categoryIdentifier == "c")
        #expect(content.targetContentIdentifier == "w" && content.filterCriteria == "f")
        #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.75)
        #expect(push.isMutable && push.isContentAvailable && push.showsAlert)
        #expect(push.target == "org.a.B")
        #expect(
            content.userInfo["mine"]
                == .dictionary([
                    "deep": .array([.boolean(true), .integer(1), .real(2.5), .string("a")])
                ]))
        guard case .dictionary(let aps)? = content.userInfo["aps"] else {
            Issue.record("the user info has no 'aps'")
            return
        }
        #expect(aps["badge"] == .integer(9) && aps["future-key"] == .array([.integer(1)]))
    }

    @Test func `an absent payload key has Apple's default`() throws {
        let push = try Self.payload(#"{"aps":{"content-available":1}}"#)
        var expected = NotificationContent()
        expected.userInfo = ["aps": .dictionary(["content-available": .integer(1)])]
        #expect(push.content == expected)
        #expect(!push.isMutable && !push.showsAlert && push.target == nil)
        #expect(try Self.aps(#""badge":0"#).badge == 0)
    }

    @Test(arguments: [
        ("passive", InterruptionLevel.passive), ("active", .active),
        ("time-sensitive", .timeSensitive), ("critical", .critical),
    ])
    func `each interruption level is read from its name`(
        name: String, level: InterruptionLevel
    ) throws {
        #expect(try Self.aps(#""interruption-level":"\#(name)""#).interruptionLevel == level)
    }

    @Test(arguments: [
        (#""default""#, NotificationSound(.standard)), (#""a.caf""#, .init(.named("a.caf"))),
        (#"{"critical":1}"#, .init(.standard, isCritical: true)),
        (
            #"{"critical":1,"name":"default","volume":0.5}"#,
            .init(.standard, isCritical: true, volume: 0.5)
        ),
        (
            #"{"critical":1,"name":"a.caf","volume":7}"#,
            .init(.named("a.caf"), isCritical: true, volume: 1)
        ),
        (#"{"critical":0,"name":"a.caf","volume":0.5}"#, .init(.named("a.caf"))),
    ])
    func `each form of a sound is understood`(text: String, sound: NotificationSound) throws {
        #expect(try Self.aps(#""sound":\#(text)"#).sound == sound)
    }

    @Test func `a sound with an empty name is silent`() throws {
        #expect(try Self.aps(#""sound":"""#).sound == nil)
        #expect(try Self.aps(#""sound":{"name":"","critical":1}"#).sound == nil)
    }

    @Test func `a localization key is kept, and shown if the payload has no text`() throws {
        let content = try Self.aps(
            #"""
            "alert":{"title-loc-key":"TITLE","title-loc-args":["Anna",3],"title":"plain",
            "subtitle-loc-key":"SUB","subtitle-loc-args":["%@"],"loc-key":"BODY","loc-args":["x"]}
            """#)
        #expect(
            content.localization
                == ContentLocalization(
                    title: LocalizedText(key: "TITLE", arguments: ["Anna", "3"]),
                    subtitle: LocalizedText(key: "SUB", arguments: ["%@"]),
                    body: LocalizedText(key: "BODY", arguments: ["x"])))
        #expect([content.title, content.subtitle, content.body] == ["plain", "SUB", "BODY"])
    }

    @Test func `a payload's Live Activities keys are ignored`() throws {
        let push = try Self.payload(
            #"""
            {"aps":{"alert":"x","stale-date":1,"content-state":{},"timestamp":2,"event":"end",
            "dismissal-date":3,"attributes-type":"a","attributes":{}}}
            """#)
        var content = push.content
        content.userInfo = [:]
        #expect(content == NotificationContent(title: "", body: "x"))
    }

    @Test func `a payload of the largest size is accepted, and a larger payload is refused`() throws
    {
        let frame = #"{"aps":{"alert":""}}"#
        let text = String(repeating: "x", count: 4_096 - frame.utf8.count)
        #expect(try Self.payload(#"{"aps":{"alert":"\#(text)"}}"#).content.body == text)
        #expect(Self.message(#"{"aps":{"alert":"\#(text)x"}}"#).contains("4097 bytes"))
    }

    @Test(arguments: [
        (#"{"aps":{"alert":5}}"#, "'aps.alert' must be a string or a dictionary"),
        (#"{"aps":{"alert":{"body":[]}}}"#, "'aps.alert.body' must be a string"),
        (#"{"aps":{"alert":{"loc-key":"k","loc-args":"x"}}}"#, "'aps.alert.loc-args' must be"),
        (#"{"aps":{"badge":"1"}}"#, "'aps.badge' is '1'; it must be a whole number"),
        (#"{"aps":{"badge":-1}}"#, "badge of the push payload is -1; it must be from 0 to"),
        (#"{"aps":{"badge":1.5}}"#, "'aps.badge' is 1.5; it must be a whole number"),
        (#"{"aps":{"sound":1}}"#, "'aps.sound' must be a string or a dictionary"),
        (#"{"aps":{"interruption-level":"loud"}}"#, "'loud'"),
        (#"{"aps":{"mutable-content":"yes"}}"#, "'aps.mutable-content' must be a number"),
        (#"{"Simulator Target Bundle":1,"aps":{}}"#, "'Simulator Target Bundle' must be"),
        (#"{"alert":"x"}"#, "no dictionary 'aps'"), (#"{"aps":[]}"#, "no dictionary 'aps'"),
        (#"["aps"]"#, "an object was expected"), ("", "line 1, column 1"),
        ("{\"aps\":{},\n \"a\" 1}", "line 2, column 6: ':' was expected"),
    ])
    func `an error names the wrong value and the expected values`(text: String, reason: String) {
        let message = Self.message(text)
        #expect(message.contains(reason), "\(message)")
        #expect(!message.contains("\n"))
    }

    @Test func `a collapse identifier has up to 64 bytes`() throws {
        try PushHeaders(collapseIdentifier: String(repeating: "ü", count: 32)).check()
        for identifier in ["", String(repeating: "x", count: 65)] {
            #expect(throws: NotificationError.self) {
                try PushHeaders(collapseIdentifier: identifier).check()
            }
        }
    }
}
