/// The one description of a kind of value: the fields that it has on every medium.
///
/// An unknown key is left alone, a missing one leaves the default, of equal ones the last counts.
package struct Record<Root>: Sendable {
    /// The names of all fields, in the order in which they are written.
    package let names: [String]
    /// The names of which one at least is there where such a record stands among other fields.
    let marks: [String]
    private let write: @Sendable (Root, Bool) -> [RecordEntry]
    private let read: @Sendable ([RecordEntry], inout Root) throws(RecordError) -> Void
    private let checkRows: @Sendable (Root, String) throws(NotificationError) -> Void
    /// What reading begins with.
    let make: @Sendable () -> Root

    /// A record of these fields; reading begins with what `make` makes.
    package init(_ fields: [Field<Root>], make: @escaping @Sendable () -> Root) {
        self.init(FieldTable(fields), make: make)
    }

    /// A record of the fields of a table.
    package init(_ table: FieldTable<Root>, make: @escaping @Sendable () -> Root) {
        names = table.fields.flatMap(\.names)
        marks = table.required
        self.make = make
        write = { root, isComplete in
            var entries: [RecordEntry] = []
            table.write(root, to: &entries)
            return isComplete ? table.completed(entries) : entries
        }
        read = { entries, root throws(RecordError) in
            for entry in entries { try table.set(&root, entry.name, entry.value) }
            for name in table.required where !entries.has(name) {
                throw RecordError(name, "is missing")
            }
            for field in table.fields { try field.readBeside?(entries, &root) }
        }
        checkRows = { root, subject throws(NotificationError) in
            try table.check(root, of: subject)
        }
    }

    /// A record of several kinds, told apart by the text under `key`.
    package init(
        union key: String, _ cases: [Case<Root>], make: @escaping @Sendable () -> Root
    ) {
        names = [key] + cases.flatMap(\.names)
        marks = [key]
        self.make = make
        write = { root, isComplete in
            for row in cases {
                guard let entries = row.write(root, isComplete) else { continue }
                return [RecordEntry(key, .string(row.kind))] + entries
            }
            return []
        }
        read = { entries, root throws(RecordError) in
            guard let value = entries.last(where: { $0.name == key })?.value else {
                throw RecordError(key, "is missing")
            }
            let kind = try String.read(value, key)
            guard let row = cases.first(where: { $0.kind == kind }) else {
                throw RecordError(
                    key,
                    "is \(kind.quotedForMessage()); it must be "
                        + cases.map(\.kind).alternatives)
            }
            root = try row.read(entries)
        }
        checkRows = { root, subject throws(NotificationError) in
            for row in cases { try row.check(root, subject) }
        }
    }

    /// Fails where a value lies beyond the limit of its field; messages call the record `subject`.
    package func check(_ root: Root, of subject: String) throws(NotificationError) {
        try checkRows(root, subject)
    }

    /// The entries of a value, defaults left out.
    package func entries(of root: Root) -> [RecordEntry] { write(root, false) }

    /// The entries of a value with those that are the default, for programs that expect each key.
    package func allEntries(of root: Root) -> [RecordEntry] { write(root, true) }

    /// The value of a dictionary's entries, which the caller knows as `subject`: "the request".
    package func value(
        of entries: [RecordEntry], _ subject: String
    ) throws(NotificationError) -> Root {
        do throws(RecordError) {
            return try value(of: entries)
        } catch {
            throw error.error(of: subject)
        }
    }

    func value(of entries: [RecordEntry]) throws(RecordError) -> Root {
        var root = make()
        try read(entries, &root)
        return root
    }

    /// The value under this name of another record.
    func value(of value: RecordValue, _ name: String) throws(RecordError) -> Root {
        var root = make()
        try read(value, name, into: &root)
        return root
    }

    /// Sets what the value under this name of another record says.
    func read(_ value: RecordValue, _ name: String, into root: inout Root) throws(RecordError) {
        guard let entries = value.entries else {
            throw RecordError(name, "must be a dictionary; it is \(value.kind)")
        }
        do throws(RecordError) {
            try read(entries, &root)
        } catch {
            throw error.within(name)
        }
    }
}

extension [RecordEntry] {
    func has(_ name: String) -> Bool { contains { $0.name == name } }
}

/// Fields, found by their names.
package struct FieldTable<Root>: Sendable {
    let fields: [Field<Root>]
    let required: [String]
    private let places: [String: Int]
    private let checks: [Field<Root>.Check]

    package init(_ fields: [Field<Root>]) {
        self.fields = fields
        required = fields.flatMap(\.required)
        checks = fields.compactMap(\.check)
        var places: [String: Int] = [:]
        for (place, field) in fields.enumerated() {
            for name in field.names { places[name] = place }
        }
        self.places = places
    }

    func write(_ root: Root, to entries: inout [RecordEntry]) {
        for field in fields { field.write(root, &entries) }
    }

    /// The entries with the defaults of those that are left out, in the order of the table.
    func completed(_ entries: [RecordEntry]) -> [RecordEntry] {
        let defaults = fields.flatMap(\.defaults)
        return fields.flatMap(\.names).compactMap { name in
            entries.first { $0.name == name } ?? defaults.first { $0.name == name }
        }
    }

    func check(_ root: Root, of subject: String) throws(NotificationError) {
        for check in checks { try check(root, subject) }
    }

    /// Sets the value of a name; an unknown one is left alone.
    func set(_ root: inout Root, _ name: String, _ value: RecordValue) throws(RecordError) {
        guard let place = places[name] else { return }
        try fields[place].set(&root, name, value)
    }
}

/// One kind of a record that has several: its name, and the fields that it alone has.
package struct Case<Root>: Sendable {
    let kind: String
    let names: [String]
    let write: @Sendable (Root, Bool) -> [RecordEntry]?
    let read: @Sendable ([RecordEntry]) throws(RecordError) -> Root
    let check: @Sendable (Root, String) throws(NotificationError) -> Void

    /// A kind without fields.
    package init(_ kind: String, _ value: Root) where Root: Equatable & Sendable {
        self.kind = kind
        names = []
        write = { root, _ in root == value ? [] : nil }
        read = { _ throws(RecordError) in value }
        check = { _, _ throws(NotificationError) in }
    }

    /// A kind whose fields are those of a payload, which `check` bounds as a whole.
    package init<Payload>(
        _ kind: String, _ fields: [Field<Payload>], of payload: Payload,
        embed: @escaping @Sendable (Payload) -> Root,
        extract: @escaping @Sendable (Root) -> Payload?,
        check: @escaping @Sendable (Payload, String) throws(NotificationError) -> Void = {
            _, _ throws(NotificationError) in
        }
    ) where Payload: Sendable {
        self.kind = kind
        let record = Record(fields) { payload }
        names = record.names
        write = { root, isComplete in
            extract(root).map { isComplete ? record.allEntries(of: $0) : record.entries(of: $0) }
        }
        read = { entries throws(RecordError) in embed(try record.value(of: entries)) }
        self.check = { root, subject throws(NotificationError) in
            guard let payload = extract(root) else { return }
            try record.check(payload, of: subject)
            try check(payload, subject)
        }
    }
}
