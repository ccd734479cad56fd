import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

/// Fault 20 of `Tests/Faults.md`.
///
/// An engine that kept using removed files would lose acknowledged adds at its restart.
@Suite("A store whose files are removed or replaced while it runs", .timeLimit(.minutes(2)))
struct StorePlaceTests {
    let fixture: EngineFixture
    let steps = Recording<EngineStep>()

    init() throws {
        fixture = try EngineFixture()
    }

    private func start() async throws -> CenterEngine {
        try await fixture.start(step: { [steps] in steps.append($0) })
    }

    private enum Removal: String, CaseIterable, Sendable {
        case database, log, both, replaced, directory
    }

    private func remove(_ removal: Removal) throws {
        let files = FileManager.default
        let layout = fixture.layout
        switch removal {
        case .database: try files.removeItem(atPath: layout.database)
        case .log: try files.removeItem(atPath: layout.log)
        case .both:
            try files.removeItem(atPath: layout.database)
            try files.removeItem(atPath: layout.log)
        case .replaced:
            let other = fixture.directory.path + "/other"
            try Data("another file".utf8).write(to: URL(fileURLWithPath: other))
            _ = rename(other, layout.database)
        case .directory: _ = rename(layout.directory, layout.directory + "-gone")
        }
    }

    @Test(arguments: Removal.allCases)
    private func `a removed or replaced store is rewritten, loses no request and leaves a record`(
        removal: Removal
    ) async throws {
        let engine = try await start()
        try await engine.add(.after(3_600, "before"), attachments: [], for: .tocsin)
        await engine.untilAtRest()
        try remove(removal)
        // Add no request, so that only the file watch can notice the loss.
        try await steps.first("the new file", within: 10) { $0 == .exchanged }
        try await engine.add(.after(3_600, "after"), attachments: [], for: .tocsin)
        await engine.untilAtRest()
        let records = try await engine.recordPage(ListQuery(), of: nil).notifications
        #expect(records.contains { $0.message.contains("written anew") })
        let kept = try FileManager.default.contentsOfDirectory(atPath: fixture.layout.directory)
            .filter { $0.contains(".replaced-") }
        #expect(kept.count == (removal == .replaced ? 1 : 0), "\(kept)")
        await engine.stop()
        let again = try await fixture.start()
        let pending = try await again.pending(of: .tocsin).map(\.request.identifier)
        #expect(Set(pending) == ["before", "after"])
        await again.stop()
    }

    @Test func `a process that dies at any step of writing the store anew loses no request`()
        async throws
    {
        let layout = fixture.layout
        let root = fixture.directory.path
        let engine = try await fixture.start(step: { [steps] step in
            steps.append(step)
            guard [.exchangePrepared, .logMoved, .databaseMoved, .exchanged].contains(step) else {
                return
            }
            try? FileManager.default.copyItem(
                atPath: layout.directory, toPath: "\(root)/\(step.rawValue)\(steps.all.count)")
        })
        for index in 0..<40 {
            try await engine.add(.after(3_600, "r\(index)"), attachments: [], for: .tocsin)
        }
        try remove(.replaced)
        try await steps.first("the new file", within: 10) { $0 == .exchanged }
        await engine.stop()
        let copies = try FileManager.default.contentsOfDirectory(atPath: root).filter {
            EngineStep.allCases.map(\.rawValue).contains(String($0.prefix { $0.isLetter }))
        }
        #expect(copies.count >= 4)
        for copy in copies {
            let store = try CenterStore(
                layout: StoreLayout(directory: "\(root)/\(copy)"), bootID: "first-boot",
                rules: .engine(.sample)
            ) { _ in }
            #expect(try await store.counts().0 == 40, "\(copy)")
            store.close()
        }
    }
}
