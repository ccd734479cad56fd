import Foundation
import NotificationModel
import TestSupport

/// The state of a process as `/proc` reports it; see proc(5).
struct DaemonProcess {
    let identifier: Int32

    /// Whether the process still runs.
    var isAlive: Bool { (try? descriptors) ?? 0 > 0 }

    /// How many files the process has open.
    var descriptors: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
        }
    }

    /// Calls the daemon until it has at most `before` files open.
    func untilDescriptors(
        are before: Int, asking center: any NotificationService
    ) async throws {
        try await polled(
            "\(before) open files of \(identifier)", because: "/proc signals no closed descriptor"
        ) {
            _ = try await center.status()
            return try descriptors <= before ? () : nil
        }
    }

    /// The resident memory of the process, in bytes.
    var memory: Int {
        get throws {
            let fields = try String(
                contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8
            ).split(separator: " ")
            guard fields.count > 1, let pages = Int(fields[1]) else {
                throw HarnessError("statm of \(identifier): \(fields)")
            }
            return pages * 4_096
        }
    }

    /// The largest resident memory that the process ever had, in bytes.
    var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1,
                let size = Int(words[1])
            else { throw HarnessError("status of \(identifier): \(status)") }
            return size * 1_024
        }
    }

    /// The processor time that the threads of the process have used.
    var computing: Duration {
        get throws {
            let tasks = "/proc/\(identifier)/task"
            let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
            let times = threads.compactMap { thread -> Int64? in
                let path = "\(tasks)/\(thread)/schedstat"
                let text = try? String(contentsOfFile: path, encoding: .utf8)
                return text?.split(separator: " ").first.flatMap { Int64($0) }
            }
            guard !times.isEmpty else { throw HarnessError("no thread of \(identifier)") }
            return .nanoseconds(times.reduce(0, +))
        }
    }
}
