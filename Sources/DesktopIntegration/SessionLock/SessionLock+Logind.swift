internal import DesktopBus

// Reads the lock from logind on the system bus.
//
// Source: org.freedesktop.login1(5), "Session Objects", `LockedHint`. The desktop sets the hint:
// GNOME and Plasma do, swaylock does not.
extension SessionLock {
    private static let logind: BusName = "org.freedesktop.login1"
    private static let manager: ObjectPath = "/org/freedesktop/login1"
    private static let sessionInterface: InterfaceName = "org.freedesktop.login1.Session"
    private static let userInterface: InterfaceName = "org.freedesktop.login1.User"

    func watchLogind() async {
        guard let bus = await systemBus() else { return }
        do throws(BusError) {
            let owner = try await bus.watchOwner(of: Self.logind) { [weak self] owner in
                self?.assumeIsolated { $0.logindChanged(isThere: owner != nil, on: bus) }
            }
            subscriptions.append(owner)
        } catch {
            recordAnswer(nil, by: Self.logind)
            retryLater(after: error) { await $0.watchLogind() }
        }
    }

    private func logindChanged(isThere: Bool, on bus: BusConnection) {
        searchCount += 1
        guard isThere else { return recordAnswer(nil, by: Self.logind) }
        startSearch(on: bus)
    }

    /// Starts a search for the login session whose `LockedHint` this actor reads.
    ///
    /// The search runs again at each change of the user's sessions, because a session may have
    /// ended while locked.
    private func startSearch(on bus: BusConnection) {
        searchCount += 1
        let number = searchCount
        question { await $0.findHint(on: bus, search: number) }
    }

    private func findHint(on bus: BusConnection, search number: Int) async {
        await watchUser(on: bus)
        let found = await findSession(on: bus)
        guard number == searchCount else { return }
        guard let found else {
            sessionSubscription = nil
            return state.recordAnswer(nil, by: Self.logind.rawValue)
        }
        if found != session || sessionSubscription == nil {
            if session != nil, found != session { state.sessionBegan(at: Self.logind.rawValue) }
            session = found
            sessionSubscription = await subscribe(found, Self.sessionInterface, on: bus) {
                $0.sessionChanged($1, on: bus)
            }
        }
        await readHint(of: found, on: bus, search: number)
    }

    /// Finds the login session of this process, or else a session of the process's user.
    ///
    /// A daemon has no session of its own, and its user may have several sessions. For a daemon,
    /// the result is the graphical session that logind prefers.
    private func findSession(on bus: BusConnection) async -> ObjectPath? {
        if let sessionID {
            let answer = await callLogind("GetSession", [.string(sessionID)], on: bus)
            if let path = answer?.objectPathValue { return path }
        }
        guard let user else { return nil }
        let display = await property("Display", of: Self.userInterface, at: user, on: bus)
        guard let path = display?.structureValue?.last?.objectPathValue, path != "/" else {
            return nil
        }
        return path
    }

    private func watchUser(on bus: BusConnection) async {
        guard user == nil || userSubscription == nil else { return }
        user = await callLogind("GetUser", [.uint32(userID)], on: bus)?.objectPathValue
        guard let user else { return }
        userSubscription = await subscribe(user, Self.userInterface, on: bus) { lock, _ in
            lock.startSearch(on: bus)
        }
    }

    private func sessionChanged(_ signal: BusSignal, on bus: BusConnection) {
        guard signal.arguments.count >= 3, let session else { return }
        if let hint = signal.arguments[1].vardictValue?["LockedHint"]?.unwrapped.boolValue {
            hintCount += 1
            recordAnswer(hint, by: Self.logind)
        } else if signal.arguments[2].stringsValue?.contains("LockedHint") == true {
            let number = searchCount
            question { await $0.readHint(of: session, on: bus, search: number) }
        }
    }

    private func readHint(of session: ObjectPath, on bus: BusConnection, search number: Int) async {
        let known = hintCount
        let hint = await property("LockedHint", of: Self.sessionInterface, at: session, on: bus)
        // Drop the answer if a signal brought a hint during the call: the signal may be newer.
        guard number == searchCount, known == hintCount else { return }
        state.recordAnswer(hint?.boolValue, by: Self.logind.rawValue)
    }

    // MARK: Calls

    private func subscribe(
        _ path: ObjectPath, _ interface: InterfaceName, on bus: BusConnection,
        _ changed: @escaping @Sendable (isolated SessionLock, BusSignal) -> Void
    ) async -> BusSubscription? {
        let rule = MatchRule(
            sender: Self.logind, path: path, interface: .properties, member: "PropertiesChanged",
            argument0: interface.rawValue)
        do throws(BusError) {
            return try await bus.subscribe(rule) { [weak self] signal in
                self?.assumeIsolated { changed($0, signal) }
            }
        } catch {
            retryLater(after: error) { $0.startSearch(on: bus) }
            return nil
        }
    }

    private func callLogind(
        _ member: MemberName, _ arguments: [BusValue], on bus: BusConnection
    ) async -> BusValue? {
        let call = MethodCall(
            destination: Self.logind, path: Self.manager,
            interface: "org.freedesktop.login1.Manager", member: member, arguments: arguments,
            flags: .noAutoStart)
        return await answer(to: call, on: bus)
    }

    private func property(
        _ name: String, of interface: InterfaceName, at path: ObjectPath, on bus: BusConnection
    ) async -> BusValue? {
        let call = MethodCall(
            reading: name, of: interface, destination: Self.logind, path: path,
            flags: .noAutoStart)
        return await answer(to: call, on: bus)?.unwrapped
    }

    private func answer(to call: MethodCall, on bus: BusConnection) async -> BusValue? {
        try? await bus.call(call, timeout: Self.answerLimit).arguments.first
    }
}
