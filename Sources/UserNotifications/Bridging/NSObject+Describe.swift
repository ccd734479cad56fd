extension NSObject {
    /// A description in Apple's form: `<UNNotification: 0x1f00; date: …, request: …>`.
    func describe(_ fields: [(String, Any?)]) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let head = "\(type(of: self)): 0x\(address)"
        guard !fields.isEmpty else { return "<\(head)>" }
        let values = fields.map { name, value in "\(name): \(Self.text(of: value))" }
        return "<\(head); \(values.joined(separator: ", "))>"
    }

    // As Objective-C prints them, so that logs of both platforms compare.
    private static func text(of value: Any?) -> String {
        switch value {
        case nil: "(null)"
        case let flag as Bool: flag ? "YES" : "NO"
        case let list as [Any] where list.isEmpty: "(\n)"
        case let list as [Any]:
            "(\n" + list.map { "    \"\(text(of: $0))\"" }.joined(separator: ",\n") + "\n)"
        case let value?: "\(value)"
        }
    }
}
