internal import Foundation

/// The base64url alphabet without padding, in which Web Push writes keys.
///
/// Source: RFC 4648, section 5.
package enum Base64URL {
    /// Encodes bytes without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(
            decoding: Data(bytes).base64EncodedData().lazy.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }

    /// Decodes a text, with or without padding; nil if the text is not base64url.
    ///
    /// The function also accepts `+` and `/`, because some senders write them.
    package static func decode(_ text: String) -> [UInt8]? {
        var base64 = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        base64 += Array(repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: Data(base64)).map { Array($0) }
    }
}
