import Testing

@testable import NotificationRuntime

/// The pauses before a start of a daemon that ended soon after its last starts.
@Suite struct QuickEndsTests {
    @Test func `after three quick ends the daemon pauses, longer each time, up to 60 s`() {
        var ends = QuickEnds(start: 100)
        var pauses: [Double?] = []
        for _ in 0..<8 {
            pauses.append(ends.pause)
            ends = ends.next(at: ends.start + 1)
        }
        #expect(pauses == [nil, nil, nil, 8, 16, 32, 60, 60])
    }

    @Test func `a daemon that worked for a while starts without a pause`() {
        var ends = QuickEnds(start: 100)
        for _ in 0..<5 { ends = ends.next(at: ends.start + 1) }
        #expect(ends.next(at: ends.start + QuickEnds.limit + 1).pause == nil)
        #expect(
            ends.next(at: ends.start - 1).pause == nil,
            "a start before the recorded start is of another boot, so it has no pause")
    }

    @Test(arguments: ["", "3", "x 1", "-1 5", "99999999999 5", "3 nan", "3 1e999", "1 2 3", "\0"])
    func `a text that is no record of quick ends is refused`(_ text: String) {
        #expect(QuickEnds(text: text) == nil)
    }

    @Test func `the count and the start are read back from the file's text`() {
        let ends = QuickEnds(start: 12.5).next(at: 13.25)
        #expect(QuickEnds(text: ends.text) == ends)
    }
}
