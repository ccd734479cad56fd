/// `file://` addresses.
package enum FileURI {
    /// The address of an absolute path: RFC 8089, with the characters that RFC 3986 leaves
    /// unescaped in a path.
    package static func text(ofPath path: String) -> String {
        "file://"
            + path.replacingBytes { byte in
                byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
                    ? nil : "%" + hexadecimal(byte, width: 2, uppercase: true)
            }
    }
}
