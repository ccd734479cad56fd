internal import Dispatch
internal import Synchronization

/// A list that only grows, filled by callbacks and awaited by tests.
///
/// It owns the elements and the waits for them.
///
/// It promises to end each wait as soon as the list satisfies the wait's predicate. Only a failing
/// test waits until the deadline.
///
/// It never loses or reorders an element.
package final class Recording<Element: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isSatisfied: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<[Element], any Error>
    }

    private struct State: Sendable {
        var elements: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var end: String?
    }

    private let state = Mutex(State())

    package init() {}

    /// Everything recorded so far.
    package var all: [Element] { state.withLock { $0.elements } }

    /// Adds one element and resumes the waits that it satisfies.
    package func append(_ element: Element) {
        let (elements, satisfied) = state.withLock { state in
            state.elements.append(element)
            let satisfied = state.waiters.filter { $0.value.isSatisfied(state.elements) }
            for key in satisfied.keys { state.waiters[key] = nil }
            return (state.elements, satisfied.values.map(\.continuation))
        }
        for continuation in satisfied { continuation.resume(returning: elements) }
    }

    /// Ends the recording: every present or future wait that is not satisfied fails.
    package func finish(_ reason: String) {
        let waiting = state.withLock { state in
            state.end = state.end ?? reason
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in waiting { continuation.resume(throwing: HarnessError(reason)) }
    }

    /// Waits until the recorded elements satisfy `predicate` and returns them.
    @discardableResult
    package func wait(
        for what: String, within seconds: Int = 60,
        until predicate: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(Waiter(isSatisfied: predicate, continuation: continuation), key: key)
                giveUp(on: key, waitingFor: what, after: seconds)
                // If the cancellation came before `register`, the handler below found no waiter.
                if Task.isCancelled { fail(key, with: CancellationError()) }
            }
        } onCancel: {
            fail(key, with: CancellationError())
        }
    }

    /// Waits for the first element that `matches`, which may be recorded already.
    @discardableResult
    package func first(
        _ what: String, within seconds: Int = 60,
        where matches: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let elements = try await wait(for: what, within: seconds) { $0.contains(where: matches) }
        guard let found = elements.first(where: matches) else {
            throw HarnessError("\(what): the recording lost an element")
        }
        return found
    }

    /// Waits until `count` elements are recorded and returns the first `count`.
    @discardableResult
    package func first(_ count: Int, within seconds: Int = 60) async throws -> [Element] {
        let all = try await wait(for: "\(count) elements", within: seconds) { $0.count >= count }
        return Array(all.prefix(count))
    }

    /// Waits until `finish(_:)` has ended the recording.
    package func untilFinished(within seconds: Int = 60) async throws {
        // The wait always throws. If it throws because the recording has ended, that is a success.
        do {
            try await wait(for: "the end of the recording", within: seconds) { _ in false }
        } catch {
            if state.withLock({ $0.end == nil }) { throw error }
        }
    }

    private func register(_ waiter: Waiter, key: Int) {
        let outcome: Result<[Element], HarnessError>? = state.withLock { state in
            if waiter.isSatisfied(state.elements) { return .success(state.elements) }
            if let end = state.end { return .failure(HarnessError(end)) }
            state.waiters[key] = waiter
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome.mapError { $0 }) }
    }

    private func giveUp(on key: Int, waitingFor what: String, after seconds: Int) {
        guard state.withLock({ $0.waiters[key] != nil }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self else { return }
            let seen = self.all.suffix(8).map { "  \($0)" }.joined(separator: "\n")
            let message = "waited \(seconds) s for \(what); the last \(Element.self) seen:\n\(seen)"
            self.fail(key, with: HarnessError(message))
        }
    }

    private func fail(_ key: Int, with error: any Error) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: key) }
        waiter?.continuation.resume(throwing: error)
    }
}
