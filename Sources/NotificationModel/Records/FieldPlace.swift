/// A record in its place in memory, read without a copy.
///
/// A value of this type is valid only during the call that receives the value. No pointer leaves
/// this file.
struct RecordInPlace<Root> {
    fileprivate let pointer: UnsafePointer<Root>

    static func read<Result>(_ root: Root, _ body: (Self) -> Result) -> Result {
        withUnsafePointer(to: root) { body(Self(pointer: $0)) }
    }

    var value: Root { pointer.pointee }
}

/// The place of a value in a record.
///
/// A stored value is at a fixed offset, so each access costs one addition. With the key path alone,
/// the runtime would evaluate the path at each access. Each offset comes from `MemoryLayout`, so
/// the offset is valid for `Root` and `Value`.
enum FieldPlace<Root, Value>: Sendable {
    /// The offset from the beginning of the record, in bytes.
    case stored(Int)
    case computed(Field<Root>.Path<Value>)

    /// The compiler inlines this initializer at each path, and so replaces the path by its offset.
    ///
    /// Without inlining, `tocsin send` would make twenty key paths when it starts. The first key
    /// path for each type of value takes the runtime 20 µs.
    @inline(__always)
    init(_ path: Field<Root>.Path<Value>) {
        if let offset = MemoryLayout<Root>.offset(of: path) {
            self = .stored(offset)
        } else {
            self = .computed(path)
        }
    }

    func read<Result>(
        _ root: RecordInPlace<Root>, _ body: (RecordInPlace<Value>) -> Result
    ) -> Result {
        switch self {
        case .stored(let offset):
            let pointer = UnsafeRawPointer(root.pointer) + offset
            return body(RecordInPlace(pointer: pointer.assumingMemoryBound(to: Value.self)))
        case .computed(let path): return RecordInPlace.read(root.value[keyPath: path], body)
        }
    }

    func value(in root: Root) -> Value {
        RecordInPlace.read(root) { read($0) { $0.value } }
    }

    func change(
        _ root: inout Root, _ body: (inout Value) throws(RecordError) -> Void
    ) throws(RecordError) {
        switch self {
        case .stored(let offset):
            try withUnsafeMutablePointer(to: &root) { root throws(RecordError) in
                let pointer = UnsafeMutableRawPointer(root) + offset
                try body(&pointer.assumingMemoryBound(to: Value.self).pointee)
            }
        case .computed(let path): try body(&root[keyPath: path])
        }
    }

    /// Turns the setter of the value into a setter of the record.
    func setter(_ set: @escaping Field<Value>.Set) -> Field<Root>.Set {
        { root, new throws(RecordError) in
            try change(&root) { value throws(RecordError) in try set(&value, new) }
        }
    }
}
