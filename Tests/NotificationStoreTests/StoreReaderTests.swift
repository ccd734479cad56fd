import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// Fault 23 of `Tests/Faults.md`: another process reads the store during commits and checkpoints.
@Suite(.timeLimit(.minutes(2))) struct StoreReaderTests {
    @Test func `a reader sees each commit whole or not at all`() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        func pair(_ number: Int) throws -> [NewRequest] {
            try ["a", "b"].map { half in
                var request = NotificationRequest.after(600, "\(half)\(number)")
                request.content.body = String(repeating: "x", count: 30_000)
                return NewRequest(
                    app: .tocsin, identifier: request.identifier,
                    payload: try PayloadCoding.encode(request), due: try Self.due(request),
                    files: [])
            }
        }
        _ = try await store.add(try pair(0).map { .request($0) }, for: .tocsin)
        let (isDone, reads) = (Recording<Bool>(), Recording<Int>())
        let path = fixture.layout.database
        let reading = Task.detached {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let reader = try DatabaseQueue(path: path, configuration: configuration)
            defer { reads.finish("The reader has ended.") }
            while isDone.all.isEmpty {
                try reader.read { database in
                    let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM request")
                    let check = try String.fetchOne(database, sql: "PRAGMA quick_check")
                    if check != "ok" { throw HarnessError("the reader saw \(check ?? "nothing")") }
                    reads.append(count ?? -1)
                }
            }
        }
        do {
            for number in 1...60 {
                _ = try await store.add(try pair(number).map { .request($0) }, for: .tocsin)
                guard number.isMultiple(of: 15) else { continue }
                // Wait for the reader, which a busy machine may delay.
                let known = reads.all.count
                try await reads.wait(for: "another read") { $0.count > known + 1 }
            }
        } catch {
            // The reader's error tells more than the error caught here.
            isDone.append(true)
            try await reading.value
            throw error
        }
        isDone.append(true)
        try await reading.value
        let counts = Set(reads.all)
        #expect(counts.allSatisfy { $0.isMultiple(of: 2) }, "\(counts)")
        #expect(counts.count > 3)
        store.close()
    }

    private static func due(_ request: NotificationRequest) throws -> DueTime {
        guard
            case .due(let due) = try FireSchedule.sample.first(of: request.trigger, now: .sample())
        else { throw HarnessError("no date") }
        return due
    }
}
