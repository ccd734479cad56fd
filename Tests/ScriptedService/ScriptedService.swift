package import CenterInterface
package import DesktopBus
package import NotificationModel
package import TestSupport

/// A notification centre in memory: it records each call of a member and answers it by script.
///
/// Without a script it keeps requests, lists them as pending, and answers `Connect` and `Status`.
/// Any other member with an output needs a script; without one the call fails.
package actor ScriptedService: MemberCalling {
    /// One call of a member, with its input.
    package struct Call: Sendable {
        package let member: MemberName
        fileprivate let input: any Sendable
    }

    /// The closure that answers the calls of a member.
    private struct Script<Input, Output>: Sendable {
        let run:
            @Sendable (isolated ScriptedService, Input) async throws(NotificationError) -> Output
    }

    /// Every call, in the order of arrival.
    package nonisolated let calls = Recording<Call>()
    /// The connected apps, with their latest introduction.
    package private(set) var sessions: [ServiceSession: ApplicationIntroduction] = [:]
    private var listener: (@Sendable (ServiceEvent) -> Void)?
    private var watchers: [ServiceSession: @Sendable (ServiceChange) -> Void] = [:]
    private var lastSession: UInt64 = 0
    /// A `Script` for each member that returns a value or changes the state of this actor.
    private var scripts = standardScripts
    private var pending: [PendingNotification] = []
    private var hasDamagedLines = false

    package init() {}

    // MARK: Recorded calls

    /// The inputs of the calls of a member so far.
    package nonisolated func inputs<Input, Output>(of member: Member<Input, Output>) -> [Input] {
        calls.all.inputs(of: member)
    }

    /// Waits until the inputs of a member's calls satisfy a condition, and returns them.
    @discardableResult
    package nonisolated func inputs<Input, Output>(
        of member: Member<Input, Output>, once isFulfilled: @escaping @Sendable ([Input]) -> Bool
    ) async throws -> [Input] {
        try await calls.wait(for: "calls of \(member.name)") { isFulfilled($0.inputs(of: member)) }
            .inputs(of: member)
    }

    // MARK: Scripted answers

    /// Replaces the work of a member for all later calls.
    package func script<Input, Output>(
        _ member: Member<Input, Output>,
        _ run: @escaping @Sendable (Input) async throws(NotificationError) -> Output
    ) {
        scripts[member.name] = Script<Input, Output> {
            _, input async throws(NotificationError) in try await run(input)
        }
    }

    /// Makes every later call of a member fail.
    package func fail<Input, Output>(
        _ member: Member<Input, Output>, with error: NotificationError
    ) {
        script(member) { _ async throws(NotificationError) in throw error }
    }

    package func send(_ event: ServiceEvent) { listener?(event) }

    package func reportChange(_ change: ServiceChange) { watchers.values.forEach { $0(change) } }

    /// Makes each page contain lines that no client can read.
    package func damageLines() { hasDamagedLines = true }

    // MARK: Calls

    package func call<Input, Output>(
        _ member: Member<Input, Output>, _ input: Input
    ) async throws(NotificationError) -> Output {
        calls.append(Call(member: member.name, input: input))
        if let script = scripts[member.name] as? Script<Input, Output> {
            return try await script.run(self, input)
        }
        if let nothing = () as? Output { return nothing }
        throw NotificationError(.protocolViolation, "\(member.name) has no script.")
    }

    private static let standardScripts: [MemberName: any Sendable] = Dictionary(
        uniqueKeysWithValues: [
            script(Members.add) { $0.keepRequests([$1.1]) },
            script(Members.addMany) { $0.keepRequests($1.1.map(\.request)) },
            script(Members.remove) { $0.remove($1.1) },
            script(Members.removeAll) { service, _ in service.pending = [] },
            script(Members.pending) { service, _ in .init(notifications: service.pending, next: nil)
            },
            script(Members.connect) { _, _ in .unknown },
            script(Members.status) { service, _ in
                ServiceStatus(
                    version: "1", hosting: "test", store: "", pendingCount: service.pending.count,
                    deliveredCount: 0, responseCount: 0, nextFire: nil,
                    presenter: PresenterStatus(isAvailable: true))
            },
        ])

    private static func script<Input, Output>(
        _ member: Member<Input, Output>,
        _ run: @escaping @Sendable (isolated ScriptedService, Input) -> Output
    ) -> (MemberName, any Sendable) { (member.name, Script(run: run)) }

    private func keepRequests(_ added: [NotificationRequest]) {
        remove(added.map(\.identifier))
        pending += added.map {
            PendingNotification(app: .tocsin, request: $0, state: .pending, nextFire: nil)
        }
    }

    private func remove(_ identifiers: [String]) {
        pending.removeAll { identifiers.contains($0.request.identifier) }
    }

    /// The page that the script of `Pending` returns, as lines.
    package func pendingLines(
        _ query: ListQuery, of app: ApplicationID?
    ) async throws(NotificationError) -> PendingLines {
        let page = try await call(Members.pending, (app, query))
        var lines = PendingLines(next: page.next)
        for pending in page.notifications {
            let request = NotificationRequest.record.entries(of: pending.request)
            try lines.append(pending, request: RecordJSON.text(.record(request)).utf8)
        }
        if hasDamagedLines { lines.lines.removeFirst() }
        return lines
    }

    // MARK: Sessions, responses and watches

    package func connect(
        _ application: ApplicationIdentity, asksBeforePresenting: Bool, handlesResponses: Bool,
        identifiers: Set<String>?,
        listener: @escaping @Sendable (ServiceEvent) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        self.listener = listener
        let introduction = ApplicationIntroduction(
            application,
            .init(
                asksBeforePresenting: asksBeforePresenting, handlesResponses: handlesResponses,
                identifiers: identifiers))
        _ = try await call(Members.connect, introduction)
        lastSession += 1
        let session = ServiceSession(rawValue: lastSession)
        sessions[session] = introduction
        return session
    }

    package func updateSessionOptions(
        _ session: ServiceSession, _ change: (inout ApplicationIntroduction.SessionOptions) -> Void
    ) async {
        guard var introduction = sessions[session] else { return }
        change(&introduction.sessionOptions)
        sessions[session] = introduction
        _ = try? await call(Members.connect, introduction)
    }

    package func disconnect(_ session: ServiceSession) async {
        guard let introduction = sessions.removeValue(forKey: session) else { return }
        try? await call(Members.disconnect, introduction.identity.id)
    }

    package func acknowledge(
        _ response: Int64, of app: ApplicationID
    ) async throws(NotificationError) {
        try await call(Members.acknowledge, (app, response))
    }

    package func answer(_ token: PresentationToken, with options: PresentationOptions) async {
        try? await call(Members.decidePresentation, (token, options))
    }

    package func finishExtension(
        _ token: ExtensionToken, of app: ApplicationID, with content: ExtendedContent?
    ) async throws(NotificationError) {
        let files = try Self.descriptors(of: content?.attachments ?? [])
        try await call(Members.finishExtension, (app, token, content?.content, files))
    }

    package func watch(
        _ app: ApplicationID?, listener: @escaping @Sendable (ServiceChange) -> Void
    ) async throws(NotificationError) -> ServiceSession {
        lastSession += 1
        let session = ServiceSession(rawValue: lastSession)
        watchers[session] = listener
        try await call(Members.watch, app)
        return session
    }

    package func unwatch(_ session: ServiceSession) async {
        watchers[session] = nil
        try? await call(Members.unwatch, ())
    }
}

extension [ScriptedService.Call] {
    fileprivate func inputs<Input, Output>(of member: Member<Input, Output>) -> [Input] {
        compactMap { $0.member == member.name ? $0.input as? Input : nil }
    }
}
