internal import Foundation
internal import Reactor

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The answer of a push service to one request.
struct PushAnswer: Sendable {
    var status: Int
    var retryAfter: String?
    /// The beginning of the body.
    var reason: String
}

/// Posts requests to push services.
///
/// It owns the connections. It promises that each request gets an answer or an error within the
/// timeout. Apps name the push services, so a push service can be any server, and its body may
/// never end. For this reason only the beginning of the body is read. When the status has arrived,
/// the request has its answer, even if the rest of the body never arrives.
///
/// Redirects are never followed: a redirected request has another method and no body, so its answer
/// would look like success.
struct PushConnection: Sendable {
    private let session: URLSession
    private let reader = AnswerReader()
    private let timeout: Duration

    init(connectionsPerHost: Int, timeout: Duration) {
        self.timeout = timeout
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        // This timeout starts again with each byte. `post` limits the time of the whole request.
        configuration.timeoutIntervalForRequest = timeout / .seconds(1) + 1
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
    }

    /// Closes the connections; requests that have no answer fail.
    func close() { session.invalidateAndCancel() }

    /// Posts a request, and waits for its answer.
    ///
    /// - Throws: An error of the connection, or `URLError.timedOut`.
    func post(_ request: URLRequest) async throws -> PushAnswer {
        let task = session.dataTask(with: request)
        return try await withThrowingTaskGroup(of: PushAnswer?.self) { group in
            group.addTask { try await reader.answer(to: task) }
            group.addTask {
                try await Task.sleep(for: timeout)
                reader.endAtDeadline(task)
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw URLError(.unknown)
        }
    }
}

/// Reads the answers of all tasks of a session.
private final class AnswerReader: NSObject, URLSessionDataDelegate {
    /// The most bytes of an answer that are read.
    ///
    /// If the answer ends within this limit, the session can use the connection again.
    private static let longestBody = 64 << 10
    /// The most bytes of an answer that become part of an outcome.
    private static let longestReason = 200

    /// A request that waits for its answer, and the part of the answer that was read.
    private struct Exchange {
        var continuation: CheckedContinuation<PushAnswer, any Error>
        var reason: [UInt8] = []
        var size = 0
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func answer(to task: URLSessionDataTask) async throws -> PushAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.withLock {
                    $0[task.taskIdentifier] = Exchange(continuation: continuation)
                }
                task.resume()
                // If the task was cancelled before the exchange was stored, `onCancel` could not
                // end the exchange.
                if Task.isCancelled { endExchange(of: task, CancellationError()) }
            }
        } onCancel: {
            endExchange(of: task, CancellationError())
        }
    }

    func endAtDeadline(_ task: URLSessionDataTask) {
        endExchange(of: task, URLError(.timedOut))
    }

    /// Ends an exchange, with the answer if a status has arrived, otherwise with the error.
    private func endExchange(of task: URLSessionTask, _ error: any Error) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        task.cancel()
        guard let response = task.response as? HTTPURLResponse else {
            exchange.continuation.resume(throwing: error)
            return
        }
        exchange.continuation.resume(
            returning: PushAnswer(
                status: response.statusCode,
                retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                reason: String(decoding: exchange.reason, as: UTF8.self)))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
        let isTooLong = exchanges.withLock { exchanges in
            guard var exchange = exchanges[dataTask.taskIdentifier] else { return false }
            let missing = Self.longestReason - exchange.reason.count
            exchange.reason += data.prefix(missing)
            exchange.size += data.count
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange.size > Self.longestBody
        }
        if isTooLong { endExchange(of: dataTask, URLError(.dataLengthExceedsMaximum)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        endExchange(of: task, error ?? URLError(.badServerResponse))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
