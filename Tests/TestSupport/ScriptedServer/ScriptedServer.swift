package import DesktopBus
internal import Reactor

/// A notification server on a private bus.
///
/// It owns its connection, and leaves the bus when its last reference is released.
///
/// It promises behaviour, answers and clicks as a test scripts them.
///
/// It never omits a refused call from `calls`.
package actor ScriptedServer {
    static let name: BusName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"

    /// Every call of `Notify`, including refused calls, in order of arrival.
    package nonisolated let calls = Recording<NotifyCall>()
    /// The ids of every call of `CloseNotification`.
    package nonisolated let closings = Recording<UInt32>()
    /// The clients that called `Notify` and then left the bus; empty with `Departure.keepsAll`.
    package nonisolated let departures = Recording<BusName>()

    private nonisolated let bus: PrivateBus
    private nonisolated let reactor = Reactor.started("scripted-server")
    private var state: ServerState
    private var connection: BusConnection?
    private var impostor: BusConnection?
    private var heldReplies: [CheckedContinuation<Bool, Never>] = []
    private var clients: [BusName: BusSubscription] = [:]
    private var heldIntroductions: [CheckedContinuation<Void, Never>] = []

    /// The connection's reactor, so that the server handles calls in the order of arrival.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        reactor.asUnownedSerialExecutor()
    }

    private init(bus: PrivateBus, script: ServerScript) {
        self.bus = bus
        state = ServerState(script: script)
    }

    /// Starts a server and returns when it owns its name.
    package static func start(
        on bus: PrivateBus, script: ServerScript = ServerScript()
    ) async throws -> ScriptedServer {
        let server = ScriptedServer(bus: bus, script: script)
        try await server.start()
        return server
    }

    /// Changes the script.
    package func change(_ change: @Sendable (inout ServerScript) -> Void) {
        change(&state.script)
    }

    private func checkExported() throws {
        guard state.script.unexportedCalls > 0 else { return }
        state.script.unexportedCalls -= 1
        throw BusError.remote(state.script.unexportedError, "Object does not exist")
    }

    private func waitForIntroduction() async {
        guard state.script.isSilent else { return }
        await withCheckedContinuation { heldIntroductions.append($0) }
    }

    /// Answers the calls that `isSilent` holds back, and each later call at once.
    package func introduce() {
        state.script.isSilent = false
        let waiting = heldIntroductions
        heldIntroductions = []
        for continuation in waiting { continuation.resume() }
    }

    /// The popups that the user would see, by id.
    package var shown: [UInt32: NotifyCall] { state.shown }

    /// Connects to the bus, with nothing shown and ids counted from 1.
    package func start() async throws {
        guard connection == nil else { return }
        let connection = BusConnection(
            address: bus.address, reactor: reactor, options: .init { $0.reconnect = nil })
        try await connection.open()
        try await connection.export(
            ExportedObject(interfaces: [table(answersText: state.script.answersText)]),
            at: Self.path)
        try await connection.requestName(Self.name)
        self.connection = connection
    }

    /// Leaves the bus as in a crash: open calls are never answered, and all state is lost.
    package func stop() async {
        let former = await connection?.uniqueName
        await connection?.close()
        await impostor?.close()
        (connection, impostor) = (nil, nil)
        state = ServerState(script: state.script)
        for client in clients.values { client.cancel() }
        clients = [:]
        answerHeld(false)
        await BusConnection.wait(until: Self.name, leaves: former, on: bus)
    }

    /// Leaves the bus and connects again.
    package func restart() async throws {
        await stop()
        try await start()
    }

    /// Answers the waiting calls, and each later call at once.
    package func release() {
        state.script.replies = .atOnce
        answerHeld(true)
    }

    // MARK: User actions

    /// Chooses an action; throws if no such button is on the screen.
    package func click(_ id: UInt32, _ key: String) async throws {
        guard let call = state.shown[id] else { throw Self.notShown(id) }
        guard call.actions.contains(where: { $0.key == key }) else {
            throw HarnessError("notification \(id) has no action \"\(key)\": \(call.actions)")
        }
        if state.script.sendsTokens {
            try await emit("ActivationToken", [.uint32(id), .string("token-\(id)")], to: call)
        }
        try await emit("ActionInvoked", [.uint32(id), .string(key)], to: call)
        if state.script.actionCloses, call.hints["resident"]?.boolValue != true {
            try await close(id, reason: state.script.actionCloseReason)
        }
    }

    /// Sends a reply typed into the popup; throws if the popup offers no reply.
    package func reply(_ id: UInt32, _ text: String) async throws {
        guard let call = state.shown[id] else { throw Self.notShown(id) }
        guard call.actions.contains(where: { $0.key == "inline-reply" }) else {
            throw HarnessError("notification \(id) offers no reply: \(call.actions)")
        }
        try await emit("NotificationReplied", [.uint32(id), .string(text)], to: call)
        try await close(id, reason: state.script.actionCloseReason)
    }

    /// Removes a notification from the screen, and signals the close with this reason.
    package func close(_ id: UInt32, reason: UInt32) async throws {
        guard let call = state.remove(id) else { throw Self.notShown(id) }
        guard state.script.tellsClosed else { return }
        try await emit("NotificationClosed", [.uint32(id), .uint32(reason)], to: call)
    }

    /// Emits any signal, even a false one.
    package func emit(_ member: MemberName, _ arguments: [BusValue]) async throws {
        try await emit(member, arguments, to: nil)
    }

    /// Emits a signal from another connection, which does not own the server's name.
    package func emitFromImpostor(_ member: MemberName, _ arguments: [BusValue]) async throws {
        let connection: BusConnection
        if let impostor {
            connection = impostor
        } else {
            connection = try await BusConnection.open(on: bus, name: "impostor")
            impostor = connection
        }
        try await connection.emit(
            path: Self.path, interface: Self.interface, member: member, arguments: arguments)
        await connection.flush()
    }

    private func emit(
        _ member: MemberName, _ arguments: [BusValue], to call: NotifyCall?
    ) async throws {
        guard let connection else { throw HarnessError("the scripted server is not on the bus") }
        let isReply = member == "NotificationReplied"
        let isUnicast = state.script.isUnicast || isReply && state.script.repliesAreUnicast
        let destination = isUnicast ? call?.firstSender ?? call?.sender : nil
        for _ in 0..<state.script.signalCopies {
            try await connection.emit(
                path: Self.path, interface: Self.interface, member: member, arguments: arguments,
                destination: destination)
        }
        if state.script.isEchoed { try await emitFromImpostor(member, arguments) }
    }

    private static func notShown(_ id: UInt32) -> HarnessError {
        HarnessError("no notification \(id) is on the scripted server's screen")
    }
}

// The methods that clients call.
extension ScriptedServer {
    private nonisolated func table(answersText: Bool) -> InterfaceTable {
        // With `[weak self]` the closures would lose their caller's isolation, and with it the
        // order of the calls (Swift 6.3).
        let this = WeakReference(server: self)
        let id = ArgumentEntry("id", "u")
        let notify = [
            ArgumentEntry("app_name", "s"), ArgumentEntry("replaces_id", "u"),
            ArgumentEntry("app_icon", "s"), ArgumentEntry("summary", "s"),
            ArgumentEntry("body", "s"), ArgumentEntry("actions", "as"),
            ArgumentEntry("hints", "a{sv}"), ArgumentEntry("expire_timeout", "i"),
        ]
        let information = ["name", "vendor", "version", "spec_version"]
        return InterfaceTable(
            name: Self.interface,
            methods: [
                MethodEntry(
                    "Notify", in: notify, out: [answersText ? ArgumentEntry("id", "s") : id]
                ) {
                    let id = try await this.server?.notify($0) ?? 0
                    return [answersText ? .string("\(id)") : .uint32(id)]
                },
                MethodEntry("CloseNotification", in: [id]) {
                    try await this.server?.closeNotification($0.arguments[0].uint32Value ?? 0)
                    return []
                },
                MethodEntry("GetCapabilities", out: [ArgumentEntry("capabilities", "as")]) { _ in
                    try await this.server?.checkExported()
                    await this.server?.waitForIntroduction()
                    return [.strings(await this.server?.state.script.capabilities ?? [])]
                },
                MethodEntry(
                    "GetServerInformation", out: information.map { ArgumentEntry($0, "s") }
                ) { _ in
                    try await this.server?.checkExported()
                    await this.server?.waitForIntroduction()
                    return (await this.server?.state.script.information ?? [])
                        .map(BusValue.string)
                },
            ],
            properties: [
                PropertyEntry(
                    "Inhibited", "b",
                    get: {
                        guard let isInhibited = await this.server?.state.script.isInhibited else {
                            throw BusError.remote(
                                "org.freedesktop.DBus.Error.InvalidArgs", "no such property")
                        }
                        return .bool(isInhibited)
                    })
            ])
    }

    private func notify(_ invocation: MethodInvocation) async throws -> UInt32 {
        guard let received = NotifyCall(invocation) else {
            throw BusError.remote("org.freedesktop.DBus.Error.InvalidArgs", "not a Notify call")
        }
        let call = state.notify(received, at: .now)
        calls.append(call)
        if let surplus = state.surplus(beside: call) { try await close(surplus, reason: 1) }
        try await follow(call.sender)
        if case .held = state.script.replies { try await holdReply() }
        if case .never = state.script.replies { try await holdReply() }
        if case .refused(let error) = call.outcome {
            throw BusError.remote(error, "Exceeded maximum number of notifications")
        }
        return call.id
    }

    private func closeNotification(_ id: UInt32) async throws {
        closings.append(id)
        if state.shown[id] != nil {
            try await close(id, reason: 3)
        } else if state.script.closesUnknown {
            try await emit("NotificationClosed", [.uint32(id), .uint32(3)])
        }
    }

    private func holdReply() async throws {
        let isReleased = await withCheckedContinuation { heldReplies.append($0) }
        if !isReleased { throw HarnessError("the scripted server has left the bus") }
    }

    private func answerHeld(_ isReleased: Bool) {
        let held = heldReplies
        heldReplies = []
        for continuation in held { continuation.resume(returning: isReleased) }
    }

    /// Watches a client until the client leaves the bus.
    private func follow(_ client: BusName) async throws {
        if case .keepsAll = state.script.departure { return }
        guard clients[client] == nil, let connection else { return }
        let watch = try await connection.watchOwner(of: client) { [weak self] owner in
            guard owner == nil else { return }
            Task { try await self?.clientLeft(client) }
        }
        // Another call of the same client may have subscribed first.
        if clients[client] == nil { clients[client] = watch } else { watch.cancel() }
    }

    private func clientLeft(_ client: BusName) async throws {
        clients.removeValue(forKey: client)?.cancel()
        for id in state.departed(client) {
            try await emit("NotificationClosed", [.uint32(id), .uint32(2)])
        }
        departures.append(client)
    }
}

private final class WeakReference: Sendable {
    weak let server: ScriptedServer?

    init(server: ScriptedServer) {
        self.server = server
    }
}
