import Testing
import WebPush

/// The examples of RFC 8188, section 3.
@Suite struct EncryptedContentTests {
    private static let text = Array("I am the walrus".utf8)
    private static let twoRecords =
        "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3"
        + "SsLWIqS_uA"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    @Test func `one record is decrypted`() throws {
        let content = try EncryptedContent(
            bytes("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"))
        #expect(content.recordSize == 4096)
        #expect(content.keyIdentifier.isEmpty)
        #expect(try content.decrypt(with: bytes("yqdlZ-tYemfogSmv7Ws5PQ")) == Self.text)
    }

    @Test func `two padded records are decrypted`() throws {
        let content = try EncryptedContent(bytes(Self.twoRecords))
        #expect(content.recordSize == 25)
        #expect(content.keyIdentifier == Array("a1".utf8))
        #expect(try content.decrypt(with: bytes("BO3ZVPxUlnLORbVGMpbT1Q")) == Self.text)
    }

    @Test func `records in another order, or without the last record, are refused`() throws {
        let key = try bytes("BO3ZVPxUlnLORbVGMpbT1Q")
        let content = try EncryptedContent(bytes(Self.twoRecords))
        var cut = content
        cut.records = Array(content.records[..<25])
        #expect(throws: WebPushError.self) { try cut.decrypt(with: key) }
        var swapped = content
        swapped.records = Array(content.records[25...]) + Array(content.records[..<25])
        #expect(throws: WebPushError.self) { try swapped.decrypt(with: key) }
    }

    @Test func `a body is written as it was read`() throws {
        let body = try bytes(Self.twoRecords)
        #expect(try EncryptedContent(body).body == body)
    }
}
