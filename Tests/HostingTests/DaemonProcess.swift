import Foundation
import NotificationModel
import TestSupport

/// The system's data on a process; proc(5).
struct DaemonProcess {
    let identifier: Int32

    /// Whether it still runs.
    var isAlive: Bool { (try? descriptors) ?? 0 > 0 }

    /// How many files it has open.
    var descriptors: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
        }
    }

    /// Waits until it has no more than `before` files open; it answers a call before each check.
    func untilDescriptors(
        are before: Int, asking center: any NotificationService
    ) async throws {
        try await polled(
            "\(before) open files of \(identifier)", because: "/proc has no event of a descriptor"
        ) {
            _ = try await center.status()
            return try descriptors <= before ? () : nil
        }
    }

    /// Its resident memory, in bytes.
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

    /// The processor time that its threads have used.
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
