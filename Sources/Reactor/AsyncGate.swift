/// Lets tasks wait for a value.
///
/// While the gate is open, every task gets the gate's value at once. While the gate is closed,
/// tasks wait; later they get the value in the order in which they came.
///
/// The gate is the state of one actor, and only that actor calls it:
///
///     await gate.valuePromise().value()
package struct AsyncGate<Value: Sendable> {
    /// The value that opened the gate; nil while the gate is closed.
    package private(set) var value: Value?
    private var waiting: [Promise<Value>] = []

    /// Makes a gate, which is open if there is a value.
    package init(_ value: Value? = nil) {
        self.value = value
    }

    package var isOpen: Bool { value != nil }
    package var hasWaiters: Bool { !waiting.isEmpty }

    /// The promise of the value; an open gate fulfils the promise at once.
    package mutating func valuePromise() -> Promise<Value> {
        let promise = Promise<Value>()
        if let value { promise.fulfill(value) } else { waiting.append(promise) }
        return promise
    }

    /// Opens the gate, or gives an open gate a new value.
    package mutating func open(_ value: Value) {
        self.value = value
        release(value)
    }

    /// Closes the gate: later tasks wait.
    package mutating func close() {
        value = nil
    }

    /// Passes the value to the tasks that wait now; a closed gate stays closed.
    package mutating func release(_ value: Value) {
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.fulfill(value) }
    }
}

/// Admits a limited number of tasks per key at a time, in the order in which they come.
///
/// Tasks of other keys do not wait. The semaphore is the state of one actor, and only that actor
/// calls it.
package struct KeyedSemaphore<Key: Hashable> {
    private struct Room {
        var inside = 1
        var waiting: ArraySlice<Promise<Void>> = []
    }

    /// How many tasks of one key may hold a permit.
    package let limit: Int
    private var rooms: [Key: Room] = [:]

    package init(limit: Int = 1) {
        self.limit = limit
    }

    /// Takes a permit for the caller; nil means that the caller has the permit at once.
    ///
    /// If no permit is free, the result is a promise that is fulfilled with the permit.
    package mutating func acquire(_ key: Key) -> Promise<Void>? {
        guard let place = rooms.index(forKey: key) else {
            rooms[key] = Room()
            return nil
        }
        guard rooms.values[place].inside == limit else {
            rooms.values[place].inside += 1
            return nil
        }
        let promise = Promise<Void>()
        rooms.values[place].waiting.append(promise)
        return promise
    }

    /// Frees a permit, and gives it to the next waiting task.
    package mutating func release(_ key: Key) {
        guard let place = rooms.index(forKey: key) else { return }
        if let next = rooms.values[place].waiting.popFirst() { return next.fulfill(()) }
        rooms.values[place].inside -= 1
        if rooms.values[place].inside == 0 { rooms.remove(at: place) }
    }
}
