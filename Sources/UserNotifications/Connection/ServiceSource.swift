package import NotificationModel
package import NotificationRuntime

/// Where a center gets its service from: the host of this process, or a script in tests.
package struct ServiceSource: Sendable {
    /// Who the app is.
    package var application: @Sendable () -> ApplicationIdentity
    /// Says who the app is, before the first use.
    package var setApplicationIdentifier: @Sendable (ApplicationID) async -> Void
    /// The service, opened or reopened if need be.
    package var service: @Sendable () async throws(NotificationError) -> any NotificationService
    /// What the person who runs the app is told, once, when it has connected.
    package var advice: @Sendable (ApplicationIdentity) async -> String? = { _ in nil }
    /// Ends the work of the service before the program ends; gives what the user is told then.
    package var finish: @Sendable () async -> String? = { nil }
    /// Runs the tasks that call the service; nil for Swift's pool.
    package var executor: (any TaskExecutor)?

    /// Makes a source of closures.
    package init(
        application: @escaping @Sendable () -> ApplicationIdentity,
        setApplicationIdentifier: @escaping @Sendable (ApplicationID) async -> Void = { _ in },
        service: @escaping @Sendable () async throws(NotificationError) -> any NotificationService
    ) {
        self.application = application
        self.setApplicationIdentifier = setApplicationIdentifier
        self.service = service
    }

    /// Makes a source of the host of this process.
    package init(_ host: ServiceHost) {
        self.init(
            application: { host.application },
            setApplicationIdentifier: { host.setApplicationIdentifier($0) },
            service: { () async throws(NotificationError) in try await host.service() })
        advice = { await host.advice(for: $0) }
        finish = { await host.finish() }
        executor = host.executor
    }
}
