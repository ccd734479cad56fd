/// A field of a record: its name in every encoding (D-Bus, JSON and the store), and the conversion
/// of its value both ways.
///
/// Writing leaves out a value that is the default. Reading accepts every type that can express the
/// value: for a whole number, every integer type.
package struct Field<Root>: Sendable {
    /// A key path to a value in the record; any thread may use it.
    package typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable
    /// The key in a push payload whose value sets the field.
    struct PushName: Hashable, Sendable {
        var name: String
        var isInAlert: Bool
    }
    /// Throws if a value is beyond its limit; the closure names the record for messages.
    package typealias Check = @Sendable (Root, () -> String) throws(NotificationError) -> Void
    /// Adds an entry for each value of the field that is not the default.
    typealias Write = @Sendable (RecordInPlace<Root>, inout [RecordEntry]) -> Void
    typealias Set = @Sendable (inout Root, RecordValue) throws(RecordError) -> Void
    struct Setter: Sendable {
        let name: String
        let set: Set
    }
    /// Reads fields that need all entries at once.
    typealias Read = @Sendable ([RecordEntry], inout Root) throws(RecordError) -> Void

    /// The field's key in every encoding.
    ///
    /// If the field inlines a record, these are the keys of all fields of that record.
    private(set) var keys: [RecordKey]
    /// The names that a record must have.
    private(set) var required: [String] = []
    let write: Write
    let setters: [Setter]
    /// `allEntries` uses these entries in place of the values that `write` leaves out.
    private(set) var defaults: [RecordEntry] = []
    private(set) var readBeside: Read?
    private(set) var push: PushName?
    /// Checks the limits of the field and of the records in it.
    private(set) var check: Check?

    @inline(__always) private init<Value>(
        _ name: String, _ path: Path<Value>, usual: RecordValue = .null,
        get: @escaping @Sendable (Value) -> RecordValue?,
        set: @escaping @Sendable (inout Value, RecordValue) throws(RecordError) -> Void
    ) {
        let place = FieldPlace(path)
        keys = [RecordKey(name)]
        defaults = [RecordEntry(name, usual)]
        write = { root, entries in
            guard let value = place.read(root, { get($0.value) }) else { return }
            entries.append(RecordEntry(name, value))
        }
        setters = [Setter(name: name, set: place.setter(set))]
    }

    /// The fields of a value, inlined among the fields of this record.
    @inline(__always) package init<Value>(inline table: FieldTable<Value>, _ path: Path<Value>) {
        let place = FieldPlace(path)
        keys = table.keys
        required = table.required
        defaults = table.fields.flatMap(\.defaults)
        write = { root, entries in place.read(root) { table.write($0, &entries) } }
        setters = table.setters.map { Setter(name: $0.name, set: place.setter($0.set)) }
        check = { root, subject throws(NotificationError) in
            try table.check(place.value(in: root), of: subject)
        }
    }

    /// The fields of a shared value, inlined among the fields of this record.
    @inline(__always) init<Value>(
        inline table: FieldTable<Value>, shared path: Path<Shared<Value>>
    ) {
        let place = FieldPlace(path)
        keys = table.keys
        required = table.required
        defaults = table.fields.flatMap(\.defaults)
        write = { root, entries in
            place.read(root) { shared in
                RecordInPlace.read(shared.value.value) { table.write($0, &entries) }
            }
        }
        setters = table.setters.map { setter in
            Setter(
                name: setter.name,
                set: place.setter { shared, new throws(RecordError) in
                    var value = shared.value
                    try setter.set(&value, new)
                    shared = Shared(value)
                })
        }
        check = { root, subject throws(NotificationError) in
            try table.check(place.value(in: root).value, of: subject)
        }
    }

    /// The fields of a record that has variants, such as the kinds of a trigger, inlined among the
    /// fields of this record.
    ///
    /// The entry that names the variant may come last, so reading gets all entries at once.
    @inline(__always) package init<Value>(beside record: Record<Value>, _ path: Path<Value>) {
        let place = FieldPlace(path)
        keys = record.keys
        write = { root, entries in place.read(root) { record.write($0, &entries, false) } }
        setters = []
        readBeside = { entries, root throws(RecordError) in
            try place.change(&root) { value throws(RecordError) in
                value = try record.value(of: entries)
            }
        }
        check = { root, subject throws(NotificationError) in
            try record.check(place.value(in: root), of: subject())
        }
    }

    /// The fields of an optional record, inlined among the fields of this record.
    ///
    /// The optional record exists if one of its required names has an entry.
    @inline(__always) package init<Value>(beside record: Record<Value>, _ path: Path<Value?>) {
        let place = FieldPlace(path)
        keys = record.keys
        write = { root, entries in
            if let value = place.read(root, { $0.value }) { entries += record.entries(of: value) }
        }
        setters = []
        readBeside = { entries, root throws(RecordError) in
            let isThere = record.marks.contains { entries.has($0) }
            try place.change(&root) { value throws(RecordError) in
                value = isThere ? try record.value(of: entries) : nil
            }
        }
        check = { root, subject throws(NotificationError) in
            if let value = place.value(in: root) { try record.check(value, of: subject()) }
        }
    }

    /// The same field, but a reader accepts a record without the field.
    ///
    /// A writer includes the field as before.
    package var optional: Field {
        var field = self
        field.required = []
        return field
    }

    /// The same field, but even `allEntries` leaves out a default value.
    package var rare: Field {
        var field = self
        field.defaults = []
        return field
    }

    /// The same field, with its name in a push payload: in `aps`, or in the alert of `aps`.
    package func pushed(_ name: String, inAlert: Bool = false) -> Field {
        var field = self
        field.push = PushName(name: name, isInAlert: inAlert)
        return field
    }

    /// The same field with a limit; `Limit` says what counts in each kind of value.
    package func limited(to limit: Limit) -> Field {
        var field = self
        let (write, inner) = (write, check)
        field.check = { root, subject throws(NotificationError) in
            var entries: [RecordEntry] = []
            RecordInPlace.read(root) { write($0, &entries) }
            for entry in entries { try limit.check(entry.value, of: subject()) }
            try inner?(root, subject)
        }
        return field
    }

    // MARK: Scalars

    @inline(__always) private init<Value: RecordScalar>(
        _ name: String, _ path: Path<Value>, usual: RecordValue = .null,
        get: @escaping @Sendable (Value) -> RecordValue?
    ) {
        self.init(name, path, usual: usual, get: get) { value, new throws(RecordError) in
            value = try Value.read(new, name)
        }
    }

    /// A scalar that writing leaves out if it is the default.
    @inline(__always) package init<Value: RecordScalar>(
        _ name: String, _ path: Path<Value>, _ usual: Value
    ) {
        self.init(name, path, usual: usual.recordValue) { value in
            value.isSame(as: usual) ? nil : value.recordValue
        }
    }

    /// A scalar that every record must have.
    @inline(__always) package init<Value: RecordScalar>(required name: String, _ path: Path<Value>)
    {
        self.init(name, path, get: { $0.recordValue })
        required = [name]
    }

    /// A scalar that may be missing.
    @inline(__always) package init<Value: RecordScalar>(_ name: String, _ path: Path<Value?>) {
        self.init(name, path, get: { $0?.recordValue }) { value, new throws(RecordError) in
            value = try Value.read(new, name)
        }
    }

    /// An entry that has the same value in every record of this type; reading ignores the entry.
    package init(constant name: String, _ value: RecordValue) where Root: Sendable {
        self.init(name, \Root.self, get: { _ in value }, set: { _, _ throws(RecordError) in })
    }

    // MARK: Records

    /// A record that may be missing.
    @inline(__always) package init<Value>(
        _ name: String, _ path: Path<Value?>, _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(name, path, get: { value in value.map { .record(record().entries(of: $0)) } }) {
            value, new throws(RecordError) in
            value = try record().value(of: new, name)
        }
        keys = [RecordKey(name) { record().keys }]
        let place = FieldPlace(path)
        check = { root, subject throws(NotificationError) in
            if let value = place.value(in: root) { try record().check(value, of: subject()) }
        }
    }

    /// A nested record that every record must have.
    ///
    /// Reading sets only the values that have an entry.
    @inline(__always) package init<Value>(
        required name: String, _ path: Path<Value>,
        _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(name, path, get: { .record(record().entries(of: $0)) }) {
            value, new throws(RecordError) in
            try record().read(new, name, into: &value)
        }
        keys = [RecordKey(name) { record().keys }]
        required = [name]
        let place = FieldPlace(path)
        check = { root, subject throws(NotificationError) in
            try record().check(place.value(in: root), of: subject())
        }
    }

    /// A list of records; writing leaves out an empty list.
    @inline(__always) package init<Value>(
        _ name: String, _ path: Path<[Value]>, _ record: @escaping @Sendable () -> Record<Value>
    ) {
        self.init(
            name, path, usual: .records([]),
            get: { values in
                guard !values.isEmpty else { return nil }
                let record = record()
                return .records(values.map { record.entries(of: $0) })
            },
            set: { values, new throws(RecordError) in
                let elements: [RecordValue]
                switch new {
                case .list(let values): elements = values
                case .records(let records): elements = records.map { .record($0) }
                case .strings(let texts): elements = texts.map { .string($0) }
                default: throw RecordError(name, "must be a list; it is \(new.kind)")
                }
                let record = record()
                values = try elements.map { element throws(RecordError) in
                    try record.value(of: element, name)
                }
            })
        keys = [RecordKey(name) { record().keys }]
        let place = FieldPlace(path)
        check = { root, subject throws(NotificationError) in
            for value in place.value(in: root) { try record().check(value, of: subject()) }
        }
    }

    // MARK: Trees

    /// A dictionary with any keys and of bounded depth; writing leaves out an empty dictionary.
    @inline(__always) package init(tree name: String, _ path: Path<[String: PropertyListValue]>) {
        self.init(
            name, path, usual: .tree([]), get: { $0.isEmpty ? nil : .tree($0) },
            set: { values, new throws(RecordError) in
                guard case .dictionary(let read) = try new.propertyList(name) else {
                    throw RecordError(
                        name, "must be a dictionary with string keys; it is \(new.kind)")
                }
                values = read
            })
        let place = FieldPlace(path)
        check = { root, subject throws(NotificationError) in
            let depth = PropertyListValue.dictionary(place.value(in: root)).depth
            try Limits.depth.check(depth, of: subject())
        }
    }

    /// A dictionary of scalars; writing leaves out an empty dictionary.
    @inline(__always) package init<Value: RecordScalar>(
        map name: String, _ path: Path<[String: Value]>
    ) {
        self.init(
            name, path, usual: .tree([]),
            get: { values in
                guard !values.isEmpty else { return nil }
                let sorted = values.sorted { $0.key < $1.key }
                return .tree(sorted.map { RecordEntry($0.key, $0.value.recordValue) })
            },
            set: { values, new throws(RecordError) in
                guard let entries = new.entries else {
                    throw RecordError(name, "must be a dictionary; it is \(new.kind)")
                }
                values = [:]
                for entry in entries {
                    do throws(RecordError) {
                        values[entry.name] = try Value.read(entry.value, entry.name)
                    } catch {
                        throw error.within(name)
                    }
                }
            })
    }
}
