internal import Reactor

/// A call that waits for its answer; completed exactly once, whatever happens first.
///
/// Unchecked: used on the reactor's thread only; a cancelled task names it from elsewhere.
final class PendingCall: @unchecked Sendable {
    typealias Completion = (Result<BusReply, BusError>) -> Void

    /// The call, without its arguments: they would keep memory and descriptors until the answer.
    private var call: MethodCall
    /// The owner of a called well-known name when the call was sent; nil while that is not known.
    var owner: BusName?
    /// The first answer of each sender of which it is not known yet whether it was called.
    var unverified: [BusName: IncomingMessage] = [:]
    var isVerifying = false
    var serial: UInt32 = 0
    var deadline: Deadline?
    private var completion: Completion?
    private var result: Result<BusReply, BusError>?

    var isCompleted: Bool { result != nil }

    init(_ call: MethodCall) {
        self.call = call
        self.call.arguments = []
    }

    /// The called connection, which alone may answer.
    var destination: BusName { call.destination }

    /// The call as messages name it.
    var label: String {
        destination == .bus
            ? "\(call.member) of the bus" : "\(call.interface).\(call.member) of \(destination)"
    }

    /// Sets who is told; at once if the end came first.
    func tell(_ completion: @escaping Completion) {
        if let result { return completion(result) }
        self.completion = completion
    }

    func complete(_ result: Result<BusReply, BusError>) {
        guard self.result == nil else { return }
        self.result = result
        deadline?.cancel()
        deadline = nil
        unverified = [:]
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
