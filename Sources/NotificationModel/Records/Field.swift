/// A field of a record: its name on every medium, and how its value gets out of the record and in.
package struct Field<Root>: Sendable {
    /// A place in the record that any thread may use.
    package typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable
    /// The key of a push payload that sets a field.
    struct PushName: Hashable, Sendable {
        var name: String
        var isInAlert: Bool
    }
    /// Fails where a value lies beyond its limit; messages call the record by the text.
    typealias Check = @Sendable (Root, String) throws(NotificationError) -> Void

    /// The name on every medium; the fields of a record that stands here side by side have several.
    let names: [String]
    /// The names that a record must have.
    private(set) var required: [String] = []
    /// Adds what is not the default.
    let write: @Sendable (Root, inout [RecordEntry]) -> Void
    /// Sets the value of a name.
    let set: @Sendable (inout Root, String, RecordValue) throws(RecordError) -> Void
    /// The entries that stand for it where it is left out.
    private(set) var defaults: [RecordEntry] = []
    /// Reads what cannot be read name by name.
    private(set) var readBeside:
        (@Sendable ([RecordEntry], inout Root) throws(RecordError) -> Void)?
    /// The name in a push payload.
    private(set) var push: PushName?
    /// Checks the limits of the field and of the records in it.
    private(set) var check: Check?

    private init(
        _ name: String, usual: RecordValue = .null,
        get: @escaping @Sendable (Root) -> RecordValue?,
        set: @escaping @Sendable (inout Root, RecordValue) throws(RecordError) -> Void
    ) {
        names = [name]
        defaults = [RecordEntry(name, usual)]
        write = { root, entries in
            if let value = get(root) { entries.append(RecordEntry(name, value)) }
        }
        self.set = { root, _, value throws(RecordError) in try set(&root, value) }
    }

    /// The fields of a value, side by side with the others.
    package init<Value>(inline table: FieldTable<Value>, _ path: Path<Value>) {
        names = table.fields.flatMap(\.names)
        required = table.required
        defaults = table.fields.flatMap(\.defaults)
        write = { root, entries in table.write(root[keyPath: path], to: &entries) }
        set = { root, name, value throws(RecordError) in
            try table.set(&root[keyPath: path], name, value)
        }
        check = { root, subject throws(NotificationError) in
            try table.check(root[keyPath: path], of: subject)
        }
    }

    /// The fields of a record of several kinds, side by side with the others.
    package init<Value>(beside record: Record<Value>, _ path: Path<Value>) {
        names = record.names
        write = { root, entries in entries += record.entries(of: root[keyPath: path]) }
        set = { _, _, _ throws(RecordError) in }
        readBeside = { entries, root throws(RecordError) in
            root[keyPath: path] = try record.value(of: entries)
        }
        check = { root, subject throws(NotificationError) in
            try record.check(root[keyPath: path], of: subject)
        }
    }

    /// The fields of a record that may be missing, side by side with the others; it is there where
    /// one of the names is that it must have.
    package init<Value>(beside record: Record<Value>, _ path: Path<Value?>) {
        names = record.names
        write = { root, entries in
            if let value = root[keyPath: path] { entries += record.entries(of: value) }
        }
        set = { _, _, _ throws(RecordError) in }
        readBeside = { entries, root throws(RecordError) in
            let isThere = record.marks.contains { entries.has($0) }
            root[keyPath: path] = isThere ? try record.value(of: entries) : nil
        }
        check = { root, subject throws(NotificationError) in
            if let value = root[keyPath: path] { try record.check(value, of: subject) }
        }
    }

    /// The same for a reader that takes a record without it; it is always written.
    package var optional: Field {
        var field = self
        field.required = []
        return field
    }

    /// The same for a value that few have: no default stands for it.
    package var rare: Field {
        var field = self
        field.defaults = []
        return field
    }

    /// The same where a push payload has a name for it, in `aps` or in the alert there.
    package func pushed(_ name: String, inAlert: Bool = false) -> Field {
        var field = self
        field.push = PushName(name: name, isInAlert: inAlert)
        return field
    }

    /// The same with a bound on its value: a number, the bytes of a text, the count of a list.
    package func limited(to limit: Limit) -> Field {
        var field = self
        let (write, inner) = (write, check)
        field.check = { root, subject throws(NotificationError) in
            var entries: [RecordEntry] = []
            write(root, &entries)
            for entry in entries { try limit.check(entry.value, of: subject) }
            try inner?(root, subject)
        }
        return field
    }

    // MARK: Scalars

    private init<Value: RecordScalar>(
        _ name: String, _ path: Path<Value>, usual: RecordValue = .null,
        get: @escaping @Sendable (Value) -> RecordValue?
    ) {
        self.init(
            name, usual: usual, get: { get($0[keyPath: path]) },
            set: { root, value throws(RecordError) in
                root[keyPath: path] = try Value.read(value, name)
            })
    }

    /// A scalar that is left out where it is the default.
    package init<Value: RecordScalar>(_ name: String, _ path: Path<Value>, _ usual: Value) {
        self.init(name, path, usual: usual.recordValue) { value in
            value.isSame(as: usual) ? nil : value.recordValue
        }
    }

    /// A scalar that each record has.
    package init<Value: RecordScalar>(required name: String, _ path: Path<Value>) {
        self.init(name, path, get: \.recordValue)
        required = [name]
    }

    /// A scalar that may be missing.
    package init<Value: RecordScalar>(_ name: String, _ path: Path<Value?>) {
        self.init(
            name, get: { $0[keyPath: path]?.recordValue },
            set: { root, value throws(RecordError) in
                root[keyPath: path] = try Value.read(value, name)
            })
    }

    /// What is the same for all such records; not read.
    package init(constant name: String, _ value: RecordValue) {
        self.init(name, get: { _ in value }, set: { _, _ throws(RecordError) in })
    }

    // MARK: Records

    /// A record that may be missing.
    package init<Value>(
        _ name: String, _ path: Path<Value?>, _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(
            name, get: { root in root[keyPath: path].map { .record(record().entries(of: $0)) } },
            set: { root, value throws(RecordError) in
                root[keyPath: path] = try record().value(of: value, name)
            })
        check = { root, subject throws(NotificationError) in
            if let value = root[keyPath: path] { try record().check(value, of: subject) }
        }
    }

    /// A record that each record has; what it says is set, the rest stays.
    package init<Value>(
        required name: String, _ path: Path<Value>,
        _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(
            name, get: { .record(record().entries(of: $0[keyPath: path])) },
            set: { root, value throws(RecordError) in
                try record().read(value, name, into: &root[keyPath: path])
            })
        required = [name]
        check = { root, subject throws(NotificationError) in
            try record().check(root[keyPath: path], of: subject)
        }
    }

    /// Records in order; left out where there are none.
    package init<Value>(
        _ name: String, _ path: Path<[Value]>, _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(
            name, usual: .records([]),
            get: { root in
                let values = root[keyPath: path]
                let record = record()
                return values.isEmpty ? nil : .records(values.map { record.entries(of: $0) })
            },
            set: { root, value throws(RecordError) in
                let elements: [RecordValue]
                switch value {
                case .list(let values): elements = values
                case .records(let records): elements = records.map { .record($0) }
                case .strings(let texts): elements = texts.map { .string($0) }
                default: throw RecordError(name, "must be a list; it is \(value.kind)")
                }
                let record = record()
                root[keyPath: path] = try elements.map { element throws(RecordError) in
                    try record.value(of: element, name)
                }
            })
        check = { root, subject throws(NotificationError) in
            for value in root[keyPath: path] { try record().check(value, of: subject) }
        }
    }

    // MARK: Trees

    /// A free tree of bounded depth; left out where it is empty.
    package init(tree name: String, _ path: Path<[String: PropertyListValue]>) {
        self.init(
            name, usual: .tree([]),
            get: { root in
                let values = root[keyPath: path]
                return values.isEmpty ? nil : .tree(values)
            },
            set: { root, value throws(RecordError) in
                guard case .dictionary(let values) = try value.propertyList(name) else {
                    throw RecordError(
                        name, "must be a dictionary with string keys; it is \(value.kind)")
                }
                root[keyPath: path] = values
            })
        check = { root, subject throws(NotificationError) in
            let depth = PropertyListValue.dictionary(root[keyPath: path]).depth
            try Limits.depth.check(depth, of: subject)
        }
    }

    /// Scalars by name; left out where there are none.
    package init<Value: RecordScalar>(map name: String, _ path: Path<[String: Value]>) {
        self.init(
            name, usual: .tree([]),
            get: { root in
                let values = root[keyPath: path].sorted { $0.key < $1.key }
                guard !values.isEmpty else { return nil }
                return .tree(values.map { RecordEntry($0.key, $0.value.recordValue) })
            },
            set: { root, value throws(RecordError) in
                guard let entries = value.entries else {
                    throw RecordError(name, "must be a dictionary; it is \(value.kind)")
                }
                var values: [String: Value] = [:]
                for entry in entries {
                    do throws(RecordError) {
                        values[entry.name] = try Value.read(entry.value, entry.name)
                    } catch {
                        throw error.within(name)
                    }
                }
                root[keyPath: path] = values
            })
    }
}
