/// A queue from which at most one loop at a time takes elements.
///
/// If an element is added from within the loop, or while the loop is suspended, the running loop
/// takes the element. So the order is kept, and the stack does not grow.
///
/// The queue is the state of one actor, and only that actor calls it:
///
///     queue.waiting.append(element)
///     guard queue.startDraining() else { return }
///     while let element = queue.next() { perform(element) }
package struct SerialDrain<Element> {
    /// The elements that no loop has taken, in their order.
    package var waiting: ArraySlice<Element> = []
    /// Whether a loop empties the queue.
    package private(set) var isRunning = false
    /// Whether the queue is paused, so that every element waits.
    ///
    /// A running loop ends at its next step. After the pause, call `startDraining` again.
    package var isPaused = false

    package init() {}

    /// Whether the caller must run the loop: elements wait, the queue is not paused, and no loop
    /// runs.
    package mutating func startDraining() -> Bool {
        guard !isRunning, !isPaused, !waiting.isEmpty else { return false }
        isRunning = true
        return true
    }

    /// Whether the loop continues; it ends in a pause, or if no element waits.
    package mutating func isGoingOn() -> Bool {
        isRunning = !isPaused && !waiting.isEmpty
        return isRunning
    }

    /// The next element; nil ends the loop.
    package mutating func next() -> Element? {
        isGoingOn() ? waiting.popFirst() : nil
    }

    /// Takes all waiting elements; if no new element comes, a running loop ends at its next step.
    package mutating func removeAll() -> [Element] {
        defer { waiting = [] }
        return Array(waiting)
    }
}
