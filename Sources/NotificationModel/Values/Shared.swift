/// A large value in separate memory, which all copies of this structure share.
///
/// A request passes through tasks, queues and effects. Without separate memory, each step would
/// copy the 400 bytes of a content, and count a reference for each of its texts.
@usableFromInline
struct Shared<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline let storage: Storage

    /// Moves a value into separate memory.
    @inlinable
    init(_ value: Value) {
        storage = Storage(value)
    }

    /// The value, which never changes.
    @inlinable var value: Value { storage.value }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline
    static func == (one: Shared, other: Shared) -> Bool {
        one.storage === other.storage || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
