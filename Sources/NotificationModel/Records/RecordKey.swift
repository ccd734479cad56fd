/// A key of a record, together with the keys of the records in its value.
package struct RecordKey: Sendable {
    package let name: String
    /// The keys of the inner records; nil for a scalar and for a value that may have any keys.
    fileprivate let inner: (@Sendable () -> [RecordKey])?

    package init(_ name: String, inner: (@Sendable () -> [RecordKey])? = nil) {
        self.name = name
        self.inner = inner
    }
}

/// A key that no field has.
package struct UnknownKey: Hashable, Sendable {
    /// The names on the way to the key, the innermost first.
    package var path: [String]
    /// The keys that the same record may have.
    package var known: [String]
}

extension [RecordKey] {
    /// The first key that no field has, in these entries or in the records that are their values.
    ///
    /// Reading a record ignores such a key. In a text that a user wrote, such a key may be a
    /// mistake.
    package func firstUnknown(in entries: [RecordEntry]) -> UnknownKey? {
        for entry in entries {
            guard let key = first(where: { $0.name == entry.name }) else {
                return UnknownKey(path: [entry.name], known: map(\.name))
            }
            guard let inner = key.inner?() else { continue }
            for record in entry.value.innerRecords {
                guard var unknown = inner.firstUnknown(in: record) else { continue }
                unknown.path.append(entry.name)
                return unknown
            }
        }
        return nil
    }
}

extension RecordValue {
    fileprivate var innerRecords: [[RecordEntry]] {
        switch self {
        case .list(let elements): elements.compactMap(\.entries)
        case .records(let records): records
        default: entries.map { [$0] } ?? []
        }
    }
}
