/// Describes the fields that the values of one type have in every encoding.
///
/// Reading ignores an unknown key, keeps the default for a missing key, and uses the last of equal
/// keys. `Record` is a class, so that a field retains one object and not each part of the record.
package final class Record<Root>: Sendable {
    /// The keys of all fields, in the order in which they are written.
    package let keys: [RecordKey]
    /// The names of `keys`.
    package let names: [String]
    /// If this record is inlined and optional, an entry with one of these names shows that the
    /// record exists.
    let marks: [String]
    /// Adds the entries of a value.
    ///
    /// If the flag is true, the closure also adds entries for default values.
    let write: @Sendable (RecordInPlace<Root>, inout [RecordEntry], Bool) -> Void
    private let read: Field<Root>.Read
    private let checkLimits: Field<Root>.Check
    /// Makes the value with which reading begins.
    let make: @Sendable () -> Root

    /// Makes a record of these fields; reading begins with the result of `make`.
    package convenience init(_ fields: [Field<Root>], make: @escaping @Sendable () -> Root) {
        self.init(FieldTable(fields), make: make)
    }

    package init(_ table: FieldTable<Root>, make: @escaping @Sendable () -> Root) {
        keys = table.keys
        names = table.names
        marks = table.required
        self.make = make
        write = { root, entries, isComplete in
            guard isComplete else { return table.write(root, &entries) }
            entries += table.allEntries(of: root)
        }
        read = { entries, root throws(RecordError) in try table.read(entries, into: &root) }
        checkLimits = { root, subject throws(NotificationError) in
            try table.check(root, of: subject)
        }
    }

    /// Makes a record of several kinds; the text under `key` names the kind.
    package init(
        union key: String, _ cases: [Case<Root>], make: @escaping @Sendable () -> Root
    ) {
        keys = [RecordKey(key)] + cases.flatMap(\.keys)
        names = keys.map(\.name)
        marks = [key]
        self.make = make
        write = { root, entries, isComplete in
            _ = cases.first { $0.write(root.value, key, &entries, isComplete) }
        }
        read = { entries, root throws(RecordError) in
            guard let value = entries.last(where: { $0.name == key })?.value else {
                throw RecordError(key, "is missing")
            }
            let kind = try String.read(value, key)
            guard let match = cases.first(where: { $0.kind == kind }) else {
                throw RecordError(
                    key,
                    "is \(kind.quotedForMessage()); it must be "
                        + cases.map(\.kind).alternatives)
            }
            root = try match.read(entries)
        }
        checkLimits = { root, subject throws(NotificationError) in
            for kind in cases { try kind.check(root, subject) }
        }
    }

    /// Checks each value against the limit of its field; messages call the record `subject`.
    ///
    /// - Throws: The code of the limit, mostly `invalidArgument`, if a value is beyond the limit.
    package func check(
        _ root: Root, of subject: @autoclosure () -> String
    ) throws(NotificationError) {
        try checkLimits(root, subject)
    }

    /// The entries of a value, without entries for default values.
    package func entries(of root: Root) -> [RecordEntry] {
        entries(of: root, isComplete: false)
    }

    /// The entries of a value, with entries for default values too.
    ///
    /// This form is for programs that expect every key.
    package func allEntries(of root: Root) -> [RecordEntry] {
        entries(of: root, isComplete: true)
    }

    private func entries(of root: Root, isComplete: Bool) -> [RecordEntry] {
        var entries: [RecordEntry] = []
        entries.reserveCapacity(min(names.count, 16))
        RecordInPlace.read(root) { write($0, &entries, isComplete) }
        return entries
    }

    /// Reads the value from the entries of a dictionary.
    ///
    /// Messages call the dictionary `subject`, for example "the request".
    ///
    /// - Throws: `invalidArgument` if a required entry is missing, or a value cannot be used.
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

    /// Reads a value that another record has under this name.
    func value(of value: RecordValue, _ name: String) throws(RecordError) -> Root {
        var root = make()
        try read(value, name, into: &root)
        return root
    }

    /// Sets the fields that have an entry in `value`.
    ///
    /// `name` is the key of `value` in the outer record; errors mention it.
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

/// A list of fields that finds each field by its name.
package struct FieldTable<Root>: Sendable {
    let fields: [Field<Root>]
    let keys: [RecordKey]
    let names: [String]
    let required: [String]
    // Iterating over fields would retain every part of each field, so the table keeps one list for
    // each use. Writing always needs all fields, so one closure writes them.
    let setters: [Field<Root>.Setter]
    let write: Field<Root>.Write
    private let readers: [Field<Root>.Read]
    private let checks: [Field<Root>.Check]

    package init(_ fields: [Field<Root>]) {
        self.fields = fields
        keys = fields.flatMap(\.keys)
        names = keys.map(\.name)
        required = fields.flatMap(\.required)
        setters = fields.flatMap(\.setters)
        var write: Field<Root>.Write = { _, _ in }
        for field in fields { write = Self.sequence(write, field.write) }
        self.write = write
        readers = fields.compactMap(\.readBeside)
        checks = fields.compactMap(\.check)
    }

    private static func sequence(
        _ first: @escaping Field<Root>.Write, _ second: @escaping Field<Root>.Write
    ) -> Field<Root>.Write {
        { root, entries in
            first(root, &entries)
            second(root, &entries)
        }
    }

    /// All entries, in the order of the table.
    ///
    /// If writing leaves out a value, its default entry is used.
    func allEntries(of root: RecordInPlace<Root>) -> [RecordEntry] {
        var entries: [RecordEntry] = []
        write(root, &entries)
        let defaults = fields.flatMap(\.defaults)
        return names.compactMap { name in
            entries.first { $0.name == name } ?? defaults.first { $0.name == name }
        }
    }

    func check(_ root: Root, of subject: () -> String) throws(NotificationError) {
        for check in checks { try check(root, subject) }
    }

    /// Sets the fields that have an entry, and ignores entries with unknown names.
    func read(_ entries: [RecordEntry], into root: inout Root) throws(RecordError) {
        var next = 0
        let list = entries.span
        for index in list.indices {
            guard let place = setterIndex(of: list[index].name, from: next) else { continue }
            try setters[place].set(&root, list[index].value)
            next = place + 1
        }
        for name in required where !entries.has(name) { throw RecordError(name, "is missing") }
        for read in readers { try read(entries, &root) }
    }

    /// The index of a name's setter.
    ///
    /// Tocsin writes entries in the order of the table, so the search begins after the setter of
    /// the previous entry.
    private func setterIndex(of name: String, from start: Int) -> Int? {
        let list = setters.span
        for place in start..<list.count where list[place].name == name { return place }
        for place in 0..<start where list[place].name == name { return place }
        return nil
    }
}

/// One kind of a record with several kinds: the name and the fields of the kind.
///
/// `Case` is a class for the same reason as `Record`.
package final class Case<Root>: Sendable {
    let kind: String
    let keys: [RecordKey]
    /// Adds an entry that names the kind, and the entries of the fields.
    ///
    /// The text argument is the key of the first entry. For a value of another kind, the closure
    /// adds nothing and returns false.
    let write: @Sendable (Root, String, inout [RecordEntry], Bool) -> Bool
    let read: @Sendable ([RecordEntry]) throws(RecordError) -> Root
    let check: Field<Root>.Check

    /// A kind without fields.
    package convenience init(_ kind: String, _ value: Root) where Root: Equatable & Sendable {
        self.init(kind, [], of: value, embed: { $0 }, extract: { $0 == value ? value : nil })
    }

    /// A kind with the fields of a payload; `check` bounds the payload as a whole.
    package init<Payload>(
        _ kind: String, _ fields: [Field<Payload>], of payload: Payload,
        embed: @escaping @Sendable (Payload) -> Root,
        extract: @escaping @Sendable (Root) -> Payload?,
        check: Field<Payload>.Check? = nil
    ) where Payload: Sendable {
        self.kind = kind
        let record = Record(fields) { payload }
        keys = record.keys
        write = { root, key, entries, isComplete in
            guard let payload = extract(root) else { return false }
            entries.append(RecordEntry(key, .string(kind)))
            RecordInPlace.read(payload) { record.write($0, &entries, isComplete) }
            return true
        }
        read = { entries throws(RecordError) in embed(try record.value(of: entries)) }
        self.check = { root, subject throws(NotificationError) in
            guard let payload = extract(root) else { return }
            try record.check(payload, of: subject())
            try check?(payload, subject)
        }
    }
}
