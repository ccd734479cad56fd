public import DesktopBus
public import NotificationModel
public import Reactor

/// The settings of the desktop whose notification server is on the bus.
///
/// A switch is an app's notification switch in the desktop's settings. Once a caller has asked for
/// a switch, this actor reads that switch again after each change of the settings. dconf and Xfconf
/// signal changes; Plasma changes a file. Do Not Disturb is read at each use.
///
/// Between changes nothing runs. A query never starts a service on the bus.
public actor SystemPreferences: DesktopPreferences, ReactorActor {
    private static let timeout: Duration = .seconds(2)
    /// How many times one call may read a switch, while the settings keep changing.
    private static let mostReads = 4

    /// The reactor of the connection.
    public nonisolated let reactor: Reactor

    let connection: BusConnection
    private let environment: @Sendable () async -> [String: String]
    private var listener: @Sendable (ApplicationID, AppSwitch?) -> Void = { _, _ in }
    private var server: (name: String, vendor: String)?
    private var following: Task<Void, Never>?
    private(set) var row: Desktop?
    private var subscription: BusSubscription?
    private var file: FileWatch?
    /// The switches that callers asked for, with the values last read.
    private var seen: [ApplicationID: AppSwitch?] = [:]
    /// The output of gsettings, by schema and path.
    ///
    /// The output is kept only while we listen to dconf's changes; each change drops the output.
    private var texts: [String: GSettingsOutput] = [:]
    /// Counts possible changes, so that an outdated answer is recognised.
    private var generation: UInt64 = 0
    private var isRefreshing = false
    private var isWatchingBus = false
    /// Allows one change at a time to the app lists of a GSettings schema or an Xfconf channel.
    ///
    /// A change reads a list and writes it back, so two changes at once could lose one app.
    private var listChanges = KeyedSemaphore<String>()

    /// Makes settings that follow no desktop yet.
    ///
    /// `environment` is called at each use, because a desktop session may begin after the daemon
    /// has started.
    public init(
        connection: BusConnection, environment: @escaping @Sendable () async -> [String: String]
    ) {
        self.connection = connection
        self.environment = environment
        reactor = connection.reactor
    }

    // MARK: Following

    /// Follows the settings of the desktop whose notification server has this name and vendor.
    ///
    /// The listener replaces the former listener. Once a caller has asked for an app's switch, the
    /// listener gets each later change of that switch.
    public func follow(
        server: String, by vendor: String,
        _ listener: @escaping @Sendable (ApplicationID, AppSwitch?) -> Void
    ) async {
        self.listener = listener
        let isKnown = self.server.map { $0 == (server, vendor) } ?? false
        if !isKnown {
            self.server = (server, vendor)
            row = Desktops.row(server: server, vendor: vendor)
            (subscription, file) = (nil, nil)
            let task = Task { [row] in if let row { await watch(row) } }
            following = task
            await task.value
            rereadSwitches()
        }
        await following?.value
    }

    private func watch(_ row: Desktop) async {
        if !isWatchingBus {
            isWatchingBus = true
            // Read again after a reconnection, because no signals arrive without a connection.
            await connection.onStateChange { [weak self] state in
                guard case .connected = state else { return }
                self?.assumeIsolated { $0.rereadSwitches() }
            }
        }
        switch row.switches {
        case .gnome:
            // Backends other than dconf signal no changes.
            let backend = await environment()["GSETTINGS_BACKEND"] ?? ""
            guard backend.isEmpty || backend == "dconf" else { return }
            let rule = MatchRule(
                sender: GnomeSwitch.writer, interface: "ca.desrt.dconf.Writer", member: "Notify",
                argument0Path: GnomeSwitch.folder)
            await subscribe(rule, of: row)
        case .xfce:
            let rule = MatchRule(
                sender: XfceSwitch.bus, path: XfceSwitch.path, interface: XfceSwitch.interface,
                argument0: XfceSwitch.channel)
            await subscribe(rule, of: row)
        case .plasma:
            let files = PlasmaFiles(environment: await environment())
            guard self.row?.server == row.server else { return }
            file = FileWatch(files.own, reactor: reactor) { [weak self] in
                self?.assumeIsolated { $0.rereadSwitches() }
            }
        case nil: break
        }
    }

    private func subscribe(_ rule: MatchRule, of row: Desktop) async {
        let subscription = try? await connection.subscribe(rule) { [weak self] _ in
            self?.assumeIsolated { $0.rereadSwitches() }
        }
        guard self.row?.server == row.server else { return }
        self.subscription = subscription
    }

    /// Reads all known switches again; starts over if the settings change during the reads.
    private func rereadSwitches() {
        invalidate()
        guard !isRefreshing, !seen.isEmpty else { return }
        isRefreshing = true
        Task {
            var known: UInt64?
            while known != generation {
                known = generation
                for app in seen.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                    let value = await read(app)
                    guard known == generation else { break }
                    reportSwitch(value, of: app)
                }
            }
            isRefreshing = false
        }
    }

    /// Marks a read in progress as outdated, and drops GSettings' cached output.
    private func invalidate() {
        generation += 1
        texts = [:]
    }

    private func reportSwitch(_ value: AppSwitch?, of app: ApplicationID) {
        guard let former = seen[app], former != value else { return }
        seen[app] = .some(value)
        listener(app, value)
    }

    // MARK: Reading

    /// Whether Do Not Disturb is on; nil if the desktop does not tell.
    public func isSilent() async -> Bool? {
        switch row?.silence {
        case .property(let name, let interface, let path, let bus):
            return await answer(name, interface, path, bus, isProperty: true)?.boolValue
        case .method(let name, let interface, let path, let bus):
            return await answer(name, interface, path, bus)?.boolValue
        case .member(let text, let name, let interface, let path, let bus):
            return await answer(name, interface, path, bus)?.stringsValue?.contains(text)
        case .xfconf(_, let property):
            return await xfceValue(property, unset: false) { $0.unwrapped.boolValue }
        case .setting(let schema, let key, let isOnAt):
            return await text(schema)?[key].map { $0 == isOnAt }
        case .file(let path, let group, let key):
            let files = PlasmaFiles(environment: await environment())
            let text = PlasmaFiles.text(of: "\(files.folder)/\(path)")
            return KeyFile([text ?? ""]).flag(key, in: group) ?? false
        case nil: return nil
        }
    }

    /// Asks a program on the bus without starting it; nil if it does not answer.
    private func answer(
        _ name: String, _ interface: String, _ path: String, _ bus: String,
        isProperty: Bool = false
    ) async -> BusValue? {
        do throws(BusError) {
            let (bus, path) = (try BusName(bus), try ObjectPath(path))
            let interface = try InterfaceName(interface)
            let call =
                isProperty
                ? MethodCall(
                    reading: name, of: interface, destination: bus, path: path, flags: .noAutoStart)
                : MethodCall(
                    destination: bus, path: path, interface: interface,
                    member: try MemberName(name), flags: .noAutoStart)
            return try await connection.call(call, timeout: Self.timeout).arguments.first?
                .unwrapped
        } catch {
            return nil
        }
    }

    /// The desktop's switch for this app; nil if the desktop has none or does not answer.
    public func appSwitch(of app: ApplicationID) async -> AppSwitch? {
        let isWatched = subscription != nil || file?.isFollowing == true
        if isWatched, !isRefreshing, let known = seen[app] { return known }
        return await current(app)
    }

    /// Reads an app's switch, and repeats the read if the settings change during it.
    ///
    /// After `mostReads` reads, the method returns the last value, even if that value is outdated.
    /// `rereadSwitches` then reads again, and reports a change to the listener.
    private func current(_ app: ApplicationID) async -> AppSwitch? {
        var (value, known) = (AppSwitch?.none, generation)
        for _ in 0..<Self.mostReads {
            known = generation
            value = await read(app)
            if known == generation { break }
        }
        seen[app] = .some(value)
        if known != generation { rereadSwitches() }
        return value
    }

    private func read(_ app: ApplicationID) async -> AppSwitch? {
        switch row?.switches {
        case .gnome:
            guard let own = await text(GnomeSwitch.settingsPath(of: app)),
                let all = await text(GnomeSwitch.schema)
            else { return nil }
            return GnomeSwitch.value(own, all: all)
        case .plasma:
            let files = PlasmaFiles(environment: await environment())
            return PlasmaSwitch.value(of: app, in: files.read())
        case .xfce:
            return await xfceList(XfceSwitch.muted).map { XfceSwitch.value(of: app, muted: $0) }
        case nil: return nil
        }
    }

    /// The keys of a schema; nil if GSettings or the schema is missing.
    private func text(_ place: String) async -> GSettingsOutput? {
        if let known = texts[place] { return known }
        let known = generation
        guard
            let output = try? await program().run(["gsettings", "list-recursively", place])
        else { return nil }
        let text = GSettingsOutput(output)
        let isWatched = subscription != nil && place.hasPrefix(GnomeSwitch.schema)
        if isWatched, known == generation { texts[place] = text }
        return text
    }

    private func xfceList(_ property: String) async -> [String]? {
        await xfceValue(property, unset: [], XfceSwitch.list)
    }

    /// The value of a property; `unset` if nobody has set it, nil if Xfconf does not answer.
    private func xfceValue<Value>(
        _ property: String, unset: Value, _ read: (BusValue) -> Value?
    ) async -> Value? {
        do throws(BusError) {
            let reply = try await connection.call(
                XfceSwitch.get(property), timeout: Self.timeout)
            return reply.arguments.first.flatMap(read)
        } catch {
            return error.remoteName?.rawValue == XfceSwitch.unset ? unset : nil
        }
    }

    func program() async -> PreferencesProgram {
        PreferencesProgram(environment: await environment(), reactor: reactor)
    }

    // MARK: Setting

    /// Sets the app's switch in the desktop's settings.
    ///
    /// - Returns: The switch afterwards; nil if the desktop has no switches for apps, or if the
    ///   switch cannot be read after the change.
    /// - Throws: `noSettings` if Plasma's file cannot be read or written, if Xfconf does not answer
    ///   or rejects the change, or if gsettings is missing; `protocolViolation` if gsettings fails
    ///   or hangs.
    public func setDesktopSwitch(
        _ isOn: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch? {
        switch row?.switches {
        case .gnome: try await setGnome("enable", to: isOn, app)
        case .plasma: try await setPlasmaSwitch(isOn, app)
        case .xfce: try await setXfceSwitch(isOn, app)
        case nil: return nil
        }
        return await reread(at: app)
    }

    private func reread(at app: ApplicationID) async -> AppSwitch? {
        invalidate()
        return await current(app)
    }

    /// Sets whether the app's text appears while the session is locked; only GNOME has this
    /// setting.
    ///
    /// - Returns: The switch afterwards; nil if the desktop lacks this setting, or if the switch
    ///   cannot be read after the change.
    /// - Throws: `noSettings` if gsettings is missing; `protocolViolation` if gsettings fails or
    ///   hangs.
    public func show(
        textsWhileLocked shows: Bool, of app: ApplicationID
    ) async throws(NotificationError) -> AppSwitch? {
        guard row?.switches == .gnome else { return nil }
        try await setGnome("details-in-lock-screen", to: shows, app)
        return await reread(at: app)
    }

    private func setGnome(
        _ key: String, to isOn: Bool, _ app: ApplicationID
    ) async throws(NotificationError) {
        if let turn = listChanges.acquire(GnomeSwitch.schema) { await turn.value() }
        defer { listChanges.release(GnomeSwitch.schema) }
        let program = await program()
        let all = GSettingsOutput(
            try await program.run(["gsettings", "list-recursively", GnomeSwitch.schema]))
        for change in GnomeSwitch.changes(setting: key, to: isOn, of: app, all: all) {
            _ = try await program.run(["gsettings", "set", change.schema, change.key, change.value])
        }
    }

    private func setPlasmaSwitch(_ isOn: Bool, _ app: ApplicationID) async throws(NotificationError)
    {
        let program = await program()
        for words in PlasmaSwitch.programs(to: isOn, of: app) {
            if (try? await program.run(words)) != nil { return }
        }
        try PlasmaFiles(environment: program.environment).set(
            PlasmaSwitch.key, to: isOn ? "true" : "false", in: PlasmaSwitch.group(of: app))
    }

    private func setXfceSwitch(_ isOn: Bool, _ app: ApplicationID) async throws(NotificationError) {
        if let turn = listChanges.acquire(XfceSwitch.channel) { await turn.value() }
        defer { listChanges.release(XfceSwitch.channel) }
        guard let muted = await xfceList(XfceSwitch.muted) else {
            throw NotificationError(
                .noSettings,
                "The setting of \(app) was not changed: Xfce's list of muted apps cannot be read. "
                    + "Change the setting in xfce4-notifyd-config.")
        }
        let known = await xfceList(XfceSwitch.known)
        do throws(BusError) {
            // A list that cannot be read is not written, because its other apps would be lost.
            if let known, !known.contains(app.rawValue) {
                let list = known + [app.rawValue]
                _ = try await connection.call(XfceSwitch.set(XfceSwitch.known, to: list))
            }
            let list = XfceSwitch.muted(muted, turning: isOn, app)
            _ = try await connection.call(XfceSwitch.set(XfceSwitch.muted, to: list))
        } catch {
            throw NotificationError(
                .noSettings,
                "Xfce rejected the new setting of \(app): \(error.message) Change it in "
                    + "xfce4-notifyd-config.")
        }
    }
}
