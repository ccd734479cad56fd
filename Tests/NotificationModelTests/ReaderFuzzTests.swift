import NotificationModel
import TestSupport
import Testing

/// Arbitrary bytes, read as JSON or as a push payload, give a value or an error.
@Suite struct ReaderFuzzTests {
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "\\ud800", "\\udc00", "\\u0000", "null", "true",
        "false", "-", ".", "e", "E+", "{\"$date\":", "[[[[[[[[[[[[[[[[[[",
    ]

    @Test func `arbitrary bytes are refused as JSON or give a value of bounded depth`() throws {
        let samples = [
            #"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",true,null],"b":{"c":{}}}"#, "[[[[1]]]]",
            #""text""#, "0", #"{"$date":5,"$data":"AA=="}"#,
        ]
        try FuzzRun("json", rounds: 1_500).mutants(
            of: samples.map { Array($0.utf8) }, words: Self.words
        ) { bytes in
            do throws(JSONError) {
                let value = try JSONReader.value(of: bytes)
                #expect(value.map { $0.depth <= PropertyListValue.maximumDepth } ?? true)
            } catch {
                #expect(error.line >= 1 && error.column >= 1)
            }
        }
    }

    @Test func `arbitrary bytes are refused as a push payload or give numbers in range`() throws {
        let samples = [
            #"""
            {"aps":{"alert":{"title":"T","loc-key":"K","loc-args":["a",1],"summary-arg-count":3},
            "badge":9,"sound":{"name":"bell.wav","critical":1,"volume":0.5},"relevance-score":0.75,
            "content-available":1,"mutable-content":1,"interruption-level":"passive"},"mine":[1.5]}
            """#,
            #"{"aps":{"alert":"x","badge":0}}"#,
        ]
        try FuzzRun("push", rounds: 1_000).mutants(
            of: samples.map { Array($0.utf8) },
            words: Self.words + ["\"badge\":", "\"volume\":", "\"aps\":", "\"alert\":"]
        ) { bytes in
            guard let push = try? PushPayload(bytes) else { return }
            #expect(push.content.badge ?? 0 >= 0)
            #expect(push.content.summaryArgumentCount >= 0)
            #expect(push.content.sound?.volume.map { (0...1).contains($0) } ?? true)
            #expect(push.content.relevanceScore.isFinite)
        }
    }

    @Test func `the permitted lateness of a push is within its limit for every expiration`() {
        for expiration in [Int64.min, -1, 0, 1, .max - 1, .max] {
            for now in [Int64(0), 1_795_258_800_000_000, .max] {
                let headers = PushHeaders(expiration: Instant(microseconds: expiration))
                let grace = headers.grace(now: Instant(microseconds: now)) ?? -1
                #expect(Limits.grace.contains(grace), "\(expiration) at \(now): \(grace)")
            }
        }
    }
}
