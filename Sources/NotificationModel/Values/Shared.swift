/// A large value in separate memory, which all copies of this structure share.
///
/// A request passes through tasks, queues and effects. If a content with its twenty texts and lists
/// were part of the request, each step would copy 400 bytes and count a reference for each text.
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
