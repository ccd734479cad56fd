// A secure archive decodes a value only if the caller names its class.
extension NSCoder {
    func text(_ key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key) as String?
    }

    func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
        decodeObject(of: type, forKey: key)
    }

    func objects<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> [Object]? {
        decodeObject(of: [NSArray.self, type], forKey: key) as? [Object]
    }
}
