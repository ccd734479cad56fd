internal import NotificationModel

// A secure coder needs the class of each value. Any other coder gets `decodeObject(forKey:)`: tests
// of apps make notifications and responses with coders that implement nothing else.
extension NSCoder {
    /// Whether this is Foundation's unarchiver, and its archive has no value under a key.
    ///
    /// At a missing key the unarchiver ends the process, or decodes nothing more. Other coders may
    /// not implement `containsValue(forKey:)`.
    private func lacks(_ key: String) -> Bool {
        type(of: self) == NSKeyedUnarchiver.self && !containsValue(forKey: key)
    }

    func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
        guard !lacks(key) else { return nil }
        return requiresSecureCoding
            ? decodeObject(of: type, forKey: key) : decodeObject(forKey: key) as? Object
    }

    func string(_ key: String) -> String? {
        guard !lacks(key) else { return nil }
        return requiresSecureCoding
            ? decodeObject(of: NSString.self, forKey: key) as String?
            : decodeObject(forKey: key) as? String
    }

    func number(_ key: String) -> NSNumber? {
        object(NSNumber.self, key)
    }

    func date(_ key: String) -> Date? {
        guard !lacks(key) else { return nil }
        return requiresSecureCoding
            ? decodeObject(of: NSDate.self, forKey: key) as Date?
            : decodeObject(forKey: key) as? Date
    }

    func objects<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> [Object] {
        guard !lacks(key) else { return [] }
        let value =
            requiresSecureCoding
            ? decodeObject(of: [NSArray.self, type], forKey: key) : decodeObject(forKey: key)
        return value as? [Object] ?? []
    }

    func propertyList(_ key: String) -> Any? {
        guard !lacks(key) else { return nil }
        let classes: [AnyClass] = [
            NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        ]
        let value =
            requiresSecureCoding
            ? decodeObject(of: classes, forKey: key) : decodeObject(forKey: key)
        guard let data = value as? Data else { return value }
        return try? PropertyListSerialization.propertyList(from: data, format: nil)
    }

    // Encodes the property list as bytes if possible, because an archive of Foundation on Linux
    // returns the number 1 in a dictionary as true.
    func encode(propertyList: [AnyHashable: Any], forKey key: String) {
        let data = try? PropertyListSerialization.data(
            fromPropertyList: propertyList, format: .binary, options: 0)
        if let data {
            encode(data as NSData, forKey: key)
        } else {
            encode(NSDictionary(dictionary: propertyList), forKey: key)
        }
    }
}

// Date components are coded as the JSON of their `Codable` form. This form keeps the calendar and
// the zone, and is the same on every platform.
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

// Each type of the model has a `Record`, which describes the type's fields. These functions use the
// record to code a value as JSON, as the store does.
extension NSCoder {
    /// The value under a key; nil if it is missing or unreadable.
    func value<Value>(_ record: Record<Value>, _ key: String) -> Value? {
        guard let data = object(NSData.self, key),
            let entries = try? RecordJSON.entries(of: Array(Data(referencing: data)), key)
        else { return nil }
        return try? record.value(of: entries, key)
    }

    func encode<Value>(_ value: Value, as record: Record<Value>, forKey key: String) {
        // `RecordJSON.bytes` would throw for a number that is not finite; `RecordJSON.text` writes
        // such a number.
        let text = RecordJSON.text(.record(record.entries(of: value)))
        encode(NSData(data: Data(text.utf8)), forKey: key)
    }
}
