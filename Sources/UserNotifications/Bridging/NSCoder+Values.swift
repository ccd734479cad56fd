// A secure archive must be told the class of each value; a test's own coder knows only
// `decodeObject(forKey:)`, which is how such tests make notifications and responses.
extension NSCoder {
    func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
        requiresSecureCoding
            ? decodeObject(of: type, forKey: key) : decodeObject(forKey: key) as? Object
    }

    func string(_ key: String) -> String? {
        requiresSecureCoding
            ? decodeObject(of: NSString.self, forKey: key) as String?
            : decodeObject(forKey: key) as? String
    }

    func number(_ key: String) -> NSNumber? {
        object(NSNumber.self, key)
    }

    func date(_ key: String) -> Date? {
        requiresSecureCoding
            ? decodeObject(of: NSDate.self, forKey: key) as Date?
            : decodeObject(forKey: key) as? Date
    }

    func objects<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> [Object] {
        let value =
            requiresSecureCoding
            ? decodeObject(of: [NSArray.self, type], forKey: key) : decodeObject(forKey: key)
        return value as? [Object] ?? []
    }

    func propertyList(_ key: String) -> Any? {
        let classes: [AnyClass] = [
            NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        ]
        return requiresSecureCoding
            ? decodeObject(of: classes, forKey: key) : decodeObject(forKey: key)
    }
}

// Components as their own coded form: it keeps calendar and zone, and is the same on every platform.
extension NSCoder {
    func dateComponents(_ key: String) -> DateComponents? {
        object(NSData.self, key).flatMap {
            try? JSONDecoder().decode(DateComponents.self, from: Data(referencing: $0))
        }
    }

    func encode(dateComponents: DateComponents, forKey key: String) {
        encode((try? JSONEncoder().encode(dateComponents)) as NSData?, forKey: key)
    }
}
