extension NSObject {
    /// A description in Apple's form: `<UNNotification: 0x1f00; date: …, request: …>`.
    func describe(_ fields: [(String, Any?)]) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let values = fields.map { name, value in "\(name): \(value.map { "\($0)" } ?? "(null)")" }
        return "<\(type(of: self)): 0x\(address); \(values.joined(separator: ", "))>"
    }
}
