internal import Reactor

/// A call that waits for its answer; it completes once, with the answer or a failure.
///
/// Unchecked: only the reactor's thread changes it; the calling task only passes it to that thread.
final class PendingCall: @unchecked Sendable {
    typealias Completion = (Result<BusReply, BusError>) -> Void

    /// The call without its arguments, which would occupy memory and descriptors during the wait.
    private var call: MethodCall
    /// The owner of a well-known name when its call was sent; nil while the owner is unknown.
    var owner: BusName?
    /// The first answer of each sender, while the owner of the called name is unknown.
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

    /// The called name; only its owner may answer.
    var destination: BusName { call.destination }

    /// The name of the call in error messages.
    var label: String {
        destination == .bus
            ? "\(call.member) of the bus" : "\(call.interface).\(call.member) of \(destination)"
    }

    func setCompletion(_ completion: @escaping Completion) {
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
