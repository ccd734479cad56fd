import NotificationModel
import Testing

/// `Abbreviation` finds the elements of a list that match a user's text.
@Suite struct AbbreviationTests {
    private func found(_ text: String, in list: [String], last: String? = nil) -> [String] {
        Abbreviation(text).candidates(in: list, last: last) { $0 }
    }

    @Test(arguments: [
        // A text that equals an identifier matches only that identifier.
        ("tea", ["tea"]), ("2", ["2"]),
        ("t", ["tea", "team"]), ("m", ["mail"]),
        // No identifier begins with '4' or '1', so each is a position in the list.
        ("4", ["2"]), ("1", ["tea"]),
        ("last", ["mail"]), ("", []), ("x", []), ("TEA", []), ("0", []), ("5", []), ("-1", []),
        ("99999999999999999999", []), ("\u{661}", []),
    ])
    func `a text matches an identifier, its beginning, a position, or 'last'`(
        _ text: String, _ expected: [String]
    ) {
        #expect(found(text, in: ["tea", "team", "mail", "2"], last: "mail") == expected)
    }

    @Test
    func `a number matches the element at that position and all identifiers with that prefix`() {
        #expect(found("2", in: ["tea", "2nd", "mail"]) == ["2nd"])
        #expect(found("2", in: ["2nd", "tea"]) == ["2nd", "tea"])
    }

    @Test func `the text 'last' means an identifier 'last' rather than the last element`() {
        #expect(found("last", in: ["last", "tea"], last: "tea") == ["last"])
        #expect(found("last", in: []) == [])
    }

    @Test func `an identifier that begins with another Unicode form of the text does not match`() {
        #expect(found("\u{E9}", in: ["e\u{301}t\u{E9}", "\u{E9}t\u{E9}"]) == ["\u{E9}t\u{E9}"])
    }

    @Test func `two Unicode forms of a letter are two identifiers`() {
        let found = found("\u{E9}", in: ["e\u{301}", "\u{E9}", "\u{E9}t\u{E9}"])
        // Swift's `==` treats the first two identifiers of the list as equal.
        #expect(found.map { Array($0.utf8) } == [[0xC3, 0xA9]])
    }
}
