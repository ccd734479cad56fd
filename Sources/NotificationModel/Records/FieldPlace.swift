/// A record where it lies in memory, read without a copy.
///
/// It lives no longer than the call that it is passed to. No pointer leaves this file.
struct RecordInPlace<Root> {
    fileprivate let pointer: UnsafePointer<Root>

    /// Passes a record to `body` and returns its result.
    static func read<Result>(_ root: Root, _ body: (Self) -> Result) -> Result {
        withUnsafePointer(to: root) { body(Self(pointer: $0)) }
    }

    /// A copy of the record.
    var value: Root { pointer.pointee }
}

/// Where a value lies in a record.
///
/// A stored value lies at a fixed offset and costs one addition; the runtime evaluates a key path
/// anew each time. Each offset comes from `MemoryLayout`, so it belongs to the types it is used with.
struct FieldPlace<Root, Value>: Sendable {
    private let path: Field<Root>.Path<Value>
    /// Bytes from the beginning of the record; nil for a computed value.
    private let offset: Int?

    init(_ path: Field<Root>.Path<Value>) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path)
    }

    /// Passes the value to `body` and returns its result.
    func read<Result>(
        _ root: RecordInPlace<Root>, _ body: (RecordInPlace<Value>) -> Result
    ) -> Result {
        guard let offset else { return RecordInPlace.read(root.value[keyPath: path], body) }
        let pointer = UnsafeRawPointer(root.pointer) + offset
        return body(RecordInPlace(pointer: pointer.assumingMemoryBound(to: Value.self)))
    }

    /// Turns the setter of the value into one of the record.
    func setter(_ set: @escaping Field<Value>.Set) -> Field<Root>.Set {
        { root, new throws(RecordError) in
            guard let offset else { return try set(&root[keyPath: path], new) }
            try withUnsafeMutablePointer(to: &root) { root throws(RecordError) in
                let pointer = UnsafeMutableRawPointer(root) + offset
                try set(&pointer.assumingMemoryBound(to: Value.self).pointee, new)
            }
        }
    }
}
