package import Foundation
internal import Logging
internal import Reactor

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The messages of some topics of one ntfy server, as one long HTTP answer.
///
/// It owns one connection. The events end when the connection ends, or after `timeout` without data
/// from the server. If the connection failed, the events end with its error. If too many events
/// wait, they end with `NtfyOverflow`. A line that is too long is left out with a warning.
///
/// It never sends the access token to another host.
///
/// Source: docs.ntfy.sh, "Subscribe via API".
package final class NtfyStream: NSObject, Sendable {
    /// The longest time without data from the server, in seconds.
    ///
    /// ntfy sends a sign of life every 45 seconds.
    package static let timeout: TimeInterval = 100
    /// The longest line of a stream; a message has at most 4,096 bytes before it is encoded.
    private static let longestLine = 64 << 10
    /// The most events that wait for the distributor; without a limit, a server could fill the
    /// memory.
    package static let mostWaiting = 512

    /// The events, until the connection ends.
    package let events: AsyncThrowingStream<NtfyEvent, any Error>

    private let input: AsyncThrowingStream<NtfyEvent, any Error>.Continuation
    private let log = Logger(label: "tocsin.distributor")
    private let line = Locked<[UInt8]>([])
    private let session = Locked<URLSession?>(nil)

    /// Connects; nil if the server's address and the topics do not form a URL.
    package init?(server: String, topics: [String], since: String, accessToken: String?) {
        guard var parts = URLComponents(string: server) else { return nil }
        parts.path += "/" + topics.joined(separator: ",") + "/sse"
        parts.queryItems = [URLQueryItem(name: "since", value: since)]
        guard let url = parts.url else { return nil }
        (events, input) = AsyncThrowingStream.makeStream(
            bufferingPolicy: .bufferingOldest(NtfyStream.mostWaiting))
        super.init()
        var request = URLRequest(url: url)
        request.timeoutInterval = Self.timeout
        if let accessToken {
            request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        self.session.withLock { $0 = session }
        session.dataTask(with: request).resume()
    }

    /// Closes the connection.
    package func close() {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        session?.invalidateAndCancel()
        input.finish()
    }

    private func readLines(_ data: Data) {
        let (lines, isCut) = line.withLock { line in
            var lines: [String] = []
            var isCut = false
            for byte in data {
                if byte == UInt8(ascii: "\n") {
                    // A line that has reached the limit may have lost its end, so leave it out.
                    if line.count < Self.longestLine {
                        lines.append(String(decoding: line, as: UTF8.self))
                    } else {
                        isCut = true
                    }
                    line = []
                } else if line.count < Self.longestLine {
                    line.append(byte)
                }
            }
            return (lines, isCut)
        }
        if isCut {
            log.warning(
                """
                a message with \(Self.longestLine) bytes or more is left out: no message of \
                UnifiedPush is so long. Set the server's message-size-limit to 4k.
                """)
        }
        for event in lines.compactMap(NtfyEvent.init(line:)) {
            guard case .dropped = input.yield(event) else { continue }
            // Later events must not follow the lost one. The next stream requests it again.
            input.finish(throwing: NtfyOverflow())
            return close()
        }
    }
}

extension NtfyStream: URLSessionDataDelegate {
    // A redirected request would carry the access token, too, so follow only a redirection to the
    // same host that does not leave https. For any other, nil ends the stream with `NtfyRefusal`.
    package func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let (old, new) = (response.url, request.url)
        let isSafe = new?.host == old?.host && (new?.scheme == "https" || old?.scheme == "http")
        completionHandler(isSafe ? request : nil)
    }

    package func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status != 200 else { return completionHandler(.allow) }
        input.finish(throwing: NtfyRefusal(status: status))
        completionHandler(.cancel)
    }

    package func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
        readLines(data)
    }

    package func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        input.finish(throwing: error)
        close()
    }
}

/// The error of a stream whose events arrive faster than the distributor takes them.
package struct NtfyOverflow: Error, CustomStringConvertible {
    package var description: String { "it sends messages faster than they are passed on" }
}

/// The answer of a server that does not open a stream.
package struct NtfyRefusal: Error, CustomStringConvertible {
    /// The HTTP status.
    package let status: Int

    /// The reason and the remedy.
    package var description: String {
        switch status {
        case 300..<400:
            "it redirects to another address (HTTP \(status)). Choose that address with "
                + "'tocsin-distributor --server URL'"
        case 401, 403:
            "it refuses access (HTTP \(status)). Set an access token with 'tocsin-distributor "
                + "--server URL --access-token-file FILE'"
        case 404: "it is no ntfy server (HTTP 404)"
        case 429: "it asks for fewer connections (HTTP 429)"
        default: "it answered HTTP \(status)"
        }
    }
}
