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
