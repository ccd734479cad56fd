/// Lets tasks wait until a value is there.
///
/// While the gate is open, everybody passes with its value; while it is closed, tasks wait, and pass in
/// the order in which they came. It is the state of one actor, which alone calls it:
///
///     await withCheckedContinuation { gate.wait($0) }
package struct AsyncGate<Value: Sendable> {
    /// What opened the gate; nil while it is closed.
    package private(set) var value: Value?
    private var waiting: [CheckedContinuation<Value, Never>] = []

    /// Makes a gate, a closed one unless there is a value.
    package init(_ value: Value? = nil) {
        self.value = value
    }

    package var isOpen: Bool { value != nil }
    package var hasWaiters: Bool { !waiting.isEmpty }

    /// Waits for the value; the gate may have opened on the way here.
    package mutating func wait(_ continuation: CheckedContinuation<Value, Never>) {
        if let value { continuation.resume(returning: value) } else { waiting.append(continuation) }
    }

    /// Opens the gate, or gives the open one another value.
    package mutating func open(_ value: Value) {
        self.value = value
        pass(value)
    }

    /// Closes the gate: later tasks wait.
    package mutating func close() {
        value = nil
    }

    /// Lets those pass that wait now; a closed gate stays closed.
    package mutating func pass(_ value: Value) {
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.resume(returning: value) }
    }
}

/// Lets one task of each key in at a time, in the order in which they come; the tasks of other keys
/// go on.
///
/// It is the state of one actor, which alone calls it.
package struct KeyedGate<Key: Hashable> {
    /// The keys of which a task is inside, and the tasks that wait behind it.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// Makes a gate with nobody inside.
    package init() {}

    /// Goes in where nobody is.
    package mutating func enter(_ key: Key) -> Bool {
        guard waiting[key] == nil else { return false }
        waiting[key] = []
        return true
    }

    /// Waits for the place, or takes it where it became free on the way here.
    package mutating func wait(_ key: Key, _ continuation: CheckedContinuation<Void, Never>) {
        if enter(key) { return continuation.resume() }
        waiting[key]?.append(continuation)
    }

    /// Goes out, and lets the next one in.
    package mutating func leave(_ key: Key) {
        guard var others = waiting[key], !others.isEmpty else {
            waiting[key] = nil
            return
        }
        let next = others.removeFirst()
        waiting[key] = others
        next.resume()
    }
}
