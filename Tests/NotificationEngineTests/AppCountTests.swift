import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// The store keeps a bounded number and size of apps, whatever unknown callers send.
@Suite(.timeLimit(.minutes(2))) struct AppCountTests {
    private static func limits(apps: Int) -> StoreLimits {
        var limits = StoreLimits()
        limits.apps = apps
        return limits
    }

    private static func app(_ number: Int) throws -> ApplicationID {
        try ApplicationID("org.example.App\(number)")
    }

    private static func identity(_ number: Int) throws -> ApplicationIdentity {
        ApplicationIdentity(id: try app(number), name: "App", needsPermission: true)
    }

    @Test func `apps beyond the limit are refused by every call that stores data`() async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start(limits: Self.limits(apps: 3))
        for number in 0..<3 {
            try await engine.add(.after(60, "a"), attachments: [], for: Self.app(number))
        }
        let other = try Self.app(9)
        let category = NotificationCategory(identifier: "c")
        let calls: [@Sendable () async throws -> Void] = [
            { try await engine.add(.after(60, "a"), attachments: [], for: other) },
            { try await engine.add([.init(.after(60, "a"))], for: other) },
            { try await engine.setCategories([category], of: other) },
            { try await engine.setBadge(1, of: other) },
            { try await engine.setPreviews(.never, of: other) },
            { try await engine.decide(.deny, for: other) },
            { _ = try await engine.requestAuthorization([], for: other) },
            {
                _ = try await engine.push(
                    Array(#"{"aps":{"alert":"x"}}"#.utf8), headers: PushHeaders(), for: other)
            },
            {
                _ = try await engine.connect(
                    Self.identity(9), asksBeforePresenting: false, identifiers: nil
                ) { _ in }
            },
        ]
        for (index, call) in calls.enumerated() {
            let error = await #expect(throws: NotificationError.self, "call \(index)") {
                try await call()
            }
            #expect(error?.code == .limitReached, "call \(index): \(error?.message ?? "")")
        }
        // Known apps can still add requests.
        try await engine.add(.after(60, "b"), attachments: [], for: Self.app(0))
        await engine.stop()
    }

    @Test func `a new app displaces a disconnected app that has no requests`() async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start(limits: Self.limits(apps: 3))
        var sessions: [ServiceSession] = []
        for number in 0..<3 {
            sessions.append(
                try await engine.connect(
                    Self.identity(number), asksBeforePresenting: false, identifiers: nil
                ) { _ in })
            try await engine.setCategories(
                [NotificationCategory(identifier: "c")], of: Self.app(number))
        }
        await engine.disconnect(sessions[1])
        try await engine.add(.after(60, "a"), attachments: [], for: Self.app(7))
        let known = try await engine.store.knownApps()
        #expect(known == [try Self.app(0), try Self.app(2), try Self.app(7)])
        #expect(try await engine.categories(of: Self.app(1)).isEmpty)
        #expect(try await engine.categories(of: Self.app(2)).count == 1)
        await engine.stop()
    }

    /// If the app were displaced, its call would get no answer and the user's choice would be lost.
    @Test func `an app that waits for the user's permission is not displaced by a new app`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start(limits: Self.limits(apps: 1))
        let app = try Self.app(0)
        let session = try await engine.connect(
            Self.identity(0), asksBeforePresenting: false, identifiers: nil
        ) { _ in }
        await engine.disconnect(session)
        let request = Task { try await engine.requestAuthorization(.alert, for: app) }
        try await fixture.presenter.presentations.first(1)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(.after(60, "a"), attachments: [], for: Self.app(1))
        }
        #expect(error?.code == .limitReached)
        fixture.presenter.respond(
            PermissionPopup.key(of: app), .custom(PermissionPopup.allow))
        #expect(try await request.value)
        await engine.stop()
    }

    /// The engine must not know an app whose identity the store has deleted.
    @Test func `an app that connects while unused apps are forgotten is stored again`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start(limits: Self.limits(apps: 2))
        for number in 0..<2 {
            let session = try await engine.connect(
                Self.identity(number), asksBeforePresenting: false, identifiers: nil
            ) { _ in }
            await engine.disconnect(session)
        }
        try await engine.add(
            .after(60, "a"), for: Self.app(2), whileConnecting: Self.identity(0))
        let stored = try await engine.store.values(of: AppColumns.identity)
        #expect(Array(stored.keys) == [try Self.app(0)])
        await engine.stop()
    }

    @Test func `many new apps leave no more rows than the limit, also after a restart`()
        async throws
    {
        let fixture = try EngineFixture()
        for _ in 0..<2 {
            let engine = try await fixture.start(limits: Self.limits(apps: 8))
            for number in 0..<40 {
                let session = try await engine.connect(
                    Self.identity(number), asksBeforePresenting: false, identifiers: nil
                ) { _ in }
                await engine.disconnect(session)
            }
            #expect(try await engine.store.knownApps().count <= 8)
            #expect(await engine.appCount <= 8)
            await engine.stop()
        }
    }

    @Test func `categories and identities beyond their limits are refused`() async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        func refusal(_ body: () async throws -> Void) async -> NotificationError.Code? {
            await #expect(throws: NotificationError.self) { try await body() }?.code
        }
        let many = (0...Limits.categories.most).map { NotificationCategory(identifier: "\($0)") }
        let text = String(repeating: "x", count: Limits.categoriesSize.most / 2)
        let large = ["a", "b"].map { NotificationCategory(identifier: $0, summaryFormat: text) }
        let action = NotificationAction(identifier: "a", title: "A")
        let buttons = NotificationCategory(
            identifier: "c", actions: Array(repeating: action, count: Limits.actions.most + 1))
        #expect(
            await refusal { try await engine.setCategories(many, of: .tocsin) } == .limitReached)
        #expect(
            await refusal { try await engine.setCategories(large, of: .tocsin) } == .limitReached)
        #expect(
            await refusal { try await engine.setCategories([buttons], of: .tocsin) }
                == .invalidArgument)
        var identity = ApplicationIdentity.sample()
        identity.arguments = [String(repeating: "x", count: Limits.identity.most)]
        #expect(
            await refusal {
                _ = try await engine.connect(
                    identity, asksBeforePresenting: false, identifiers: nil
                ) { _ in }
            } == .invalidArgument)
        let names = Set((0...Limits.awaited.most).map(String.init))
        #expect(
            await refusal {
                _ = try await engine.connect(
                    .sample(), asksBeforePresenting: false, identifiers: names
                ) { _ in }
            } == .invalidArgument)
        #expect(try await engine.categories(of: .tocsin).isEmpty)
        await engine.stop()
    }

    @Test func `all apps together store no more bytes than the limit of the store`() async throws {
        let fixture = try EngineFixture()
        var limits = StoreLimits()
        limits.storeBytes = 6 << 20
        let engine = try await fixture.start(limits: limits)
        var refusals: Set<ApplicationID> = []
        for number in 0..<60 {
            var request = NotificationRequest.after(60, "\(number)")
            request.content.body = String(repeating: "x", count: 200_000)
            let app = try Self.app(number / 30)
            do throws(NotificationError) {
                try await engine.add(request, attachments: [], for: app)
            } catch {
                #expect(error.code == .limitReached)
                refusals.insert(app)
            }
        }
        // Each app sends the same 6 MB. The limit of 6 MiB holds for both together, so only
        // requests of the second app are refused.
        #expect(refusals == [try Self.app(1)])
        await engine.stop()
    }
}

extension CenterEngine {
    /// Adds a request of one app, and connects another app while the store adds the request.
    ///
    /// An actor's tasks start in order: the second starts when the first waits for the store.
    fileprivate func add(
        _ request: NotificationRequest, for app: ApplicationID,
        whileConnecting other: ApplicationIdentity
    ) async throws {
        let addition = Task { try await self.add(request, attachments: [], for: app) }
        let connection = Task {
            try await self.connect(other, asksBeforePresenting: false, identifiers: nil) { _ in }
        }
        try await addition.value
        _ = try await connection.value
    }
}
