import NotificationModel
import Testing

/// JSON by RFC 8259, and the line and column of an error.
@Suite struct JSONReaderTests {
    private static func read(_ text: String) throws(JSONError) -> PropertyListValue? {
        try JSONReader.value(of: Array(text.utf8))
    }

    @Test(arguments: [
        ("0", PropertyListValue.integer(0)), ("-12", .integer(-12)), ("1.0", .real(1)),
        ("-0.5e2", .real(-50)), ("1E+2", .real(100)), ("true", .boolean(true)),
        (" false ", .boolean(false)), (#""""#, .string("")),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("999999999999999999", .integer(999_999_999_999_999_999)), ("-0", .integer(0)),
        ("9223372036854775808", .real(9_223_372_036_854_775_808)),
        (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, .string("a\"\\/\u{8}\u{C}\n\r\té😀")),
        ("[]", .array([])), ("{}", .dictionary([:])),
        ("[1,null,[ ]]", .array([.integer(1), .array([])])),
        (#"{"a":1,"a":2,"b":null}"#, .dictionary(["a": .integer(2)])),
        (#"{"a":1,"a":null,"b":null,"b":2}"#, .dictionary(["b": .integer(2)])),
    ])
    func `a JSON text is read as its value`(text: String, value: PropertyListValue) throws {
        #expect(try Self.read(text) == value)
    }

    @Test func `a JSON null is read as no value`() throws {
        #expect(try Self.read("null") == nil)
    }

    @Test(arguments: [
        "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", "-", "+1", "1e",
        "nul", "tru", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
        "\"\\udc00\"", "\"\u{1}\"", "1 2", "[1 2]", "{\"a\":1 \"b\":2}", "'a'", "NaN", "1e999",
        "\"\\u12g4\"",
    ])
    func `invalid JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test func `deeply nested JSON is refused and does not overflow the stack`() {
        let error = #expect(throws: JSONError.self) {
            try Self.read(String(repeating: "[", count: 100_000))
        }
        #expect(error?.problem.contains("16 levels") == true)
        let deepest = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect((try? Self.read(deepest)) != nil)
    }

    @Test func `a JSON error has a line and a column`() {
        let error = #expect(throws: JSONError.self) { try Self.read("{\n  \"ü\": x}") }
        #expect(error?.line == 2 && error?.column == 8)
    }

    @Test func `bytes that are not UTF-8 are refused as JSON`() {
        #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22, 0xFF, 0x22]) }
    }
}
