/// `file://` addresses.
package enum FileURI {
    /// The address of an absolute path (RFC 8089).
    ///
    /// Only `/` and the unreserved characters of RFC 3986 stay unescaped.
    package static func text(ofPath path: String) -> String {
        "file://"
            + path.replacingBytes { byte in
                byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
                    ? nil : "%" + hexadecimal(byte, width: 2, uppercase: true)
            }
    }

    /// The absolute path of a `file://` address; nil for any other text.
    package static func path(of text: String) -> String? {
        guard text.utf8.starts(with: "file:///".utf8) else { return nil }
        var rest = text.utf8.dropFirst("file://".utf8.count)
        var bytes: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let escaped = UInt8(hexadecimal: rest.prefix(2)) else { return nil }
                byte = escaped
                rest = rest.dropFirst(2)
            }
            guard byte > 0 else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
