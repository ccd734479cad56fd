internal import DesktopBus
internal import NotificationModel
internal import Reactor

// The checks of each call of a method. A read of a property passes only the quota check, because
// every caller may read the properties.
extension ServiceExporter {
    /// The exported method for a member.
    ///
    /// `admit` checks the caller before the arguments are read. Then `checkApp` checks the app that
    /// the arguments name.
    nonisolated func row<Input, Output>(_ member: Member<Input, Output>) -> MethodEntry {
        MethodEntry(
            member.name, in: member.input.entries, out: member.output.entries,
            isWait: member.cost.isWait,
            admission: { sender, name in
                try await self.admit(sender, name.rawValue, member.scope).quotaOwner
            },
            approval: { invocation in
                try await self.ready()
                try await self.checkApp(of: invocation, member.scope, member.cost)
            },
            handler: { invocation in
                do {
                    return try await self.perform(member, invocation)
                } catch let error as NotificationError {
                    throw error.busError
                }
            })
    }

    /// Performs a call and encodes its answer.
    ///
    /// A call for a page of a list waits while the same app or process has too many such calls.
    private func perform<Input, Output>(
        _ member: Member<Input, Output>, _ invocation: MethodInvocation
    ) async throws -> [BusValue] {
        let input = try member.input.decode(invocation.arguments)
        let caller = Caller(name: invocation.sender, exporter: self, service: try service)
        let owner = member.cost == .page ? quotaOwner(of: caller.name) : nil
        defer { if let owner { pages.release(owner) } }
        if let owner {
            if let turn = pages.acquire(owner) { await turn.value() }
            // A caller that has left the bus needs no page.
            try Task.checkCancellation()
        }
        let output = try await member.perform(caller, input)
        return try encode(output, as: member.output, of: invocation)
    }

    /// Encodes the answer to a call; leaves out and reports each item that D-Bus cannot carry.
    private func encode<Output>(
        _ output: Output, as arguments: Arguments<Output>, of invocation: MethodInvocation
    ) throws(NotificationError) -> [BusValue] {
        try arguments.encode(output) { item, error in
            let key: NotificationKey? =
                switch item {
                case let item as PendingNotification: item.key
                case let item as DeliveredNotification: item.key
                case let item as NotificationCategory:
                    Self.namedApp(invocation.arguments).flatMap { try? ApplicationID($0) }
                        .map { NotificationKey(app: $0, identifier: item.identifier) }
                // The store cleans the texts of other items, so D-Bus can carry them.
                default: nil
                }
            if let key { self.leaveOut(key, error) }
        }
    }

    /// Returns the rights of a caller.
    ///
    /// - Throws: `limitReached` if the rights cannot be found out now; `accessDenied` if the caller
    ///   may not call this member for any app.
    @discardableResult
    private func admit(
        _ sender: BusName, _ member: String, _ scope: AccessScope
    ) async throws(BusError) -> CallerRights {
        guard let rights = await rights(of: sender) else {
            throw NotificationError(
                .limitReached,
                "The notification centre cannot identify the caller now: the bus or the caller's "
                    + "file system does not answer, or too many files are open. Repeat the call."
            ).busError
        }
        if let refusal = rights.refusal(of: member, scope) { throw refusal.busError }
        return rights
    }

    /// Refuses a caller that may not act for the app named in its call.
    private func checkApp(
        of invocation: MethodInvocation, _ scope: AccessScope, _ cost: MemberCost
    ) async throws(BusError) {
        let member = invocation.member.rawValue
        let rights = try await admit(invocation.sender, member, scope)
        let app = Self.namedApp(invocation.arguments)
        if let refusal = rights.refusal(of: member, scope, naming: app) { throw refusal.busError }
        do throws(NotificationError) {
            // A sandboxed app always needs the user's permission, even if it describes itself as an
            // app without `needsPermission`.
            if case .app(let own) = rights.scope, scope == .oneApp {
                try await requirePermission(own)
            }
            if cost.introducesApp, let app {
                try rightsCache.name(app, by: invocation.sender)
            }
        } catch {
            throw error.busError
        }
    }

    /// The app that a call names: its first argument, or the `id` of `Connect`.
    private static func namedApp(_ arguments: [BusValue]) -> String? {
        guard let first = arguments.first else { return nil }
        return first.stringValue ?? first.vardictValue?["id"]?.unwrapped.stringValue
    }

    /// The app or process whose quota a caller uses; the caller's connection if both are unknown.
    func quotaOwner(of sender: BusName) -> String {
        let owner = rightsCache.known(sender)?.quotaOwner ?? ""
        return owner.isEmpty ? sender.rawValue : owner
    }

    /// The rights of a caller; nil if they cannot be found out for the moment.
    func rights(of sender: BusName) async -> CallerRights? {
        switch rightsCache.requestRights(of: sender) {
        case .known(let rights): return rights
        case .lookUp(let run):
            // The caller's other calls wait for these rights, so the end of this call must not
            // cancel the inspection.
            let rights = await Task { await self.inspect(sender) }.value
            for waiter in rightsCache.rightsFound(sender, rights, run: run) { waiter.fulfill(()) }
            return rights
        case .wait(let answer):
            await answer.value()
            return rightsCache.known(sender)
        }
    }

    /// Removes content that a sandboxed caller may not send.
    ///
    /// A sandboxed caller may not name another app. It may not name a path either, because the path
    /// would name a file outside of its sandbox. Its attachments come as descriptors.
    func bounded(
        _ content: NotificationContent, of sender: BusName
    ) -> NotificationContent {
        rightsCache.known(sender)?.scope == .user ? content : content.withoutForeignPaths
    }

    /// Refuses a sandboxed caller's request that waits for a region.
    ///
    /// The time of the notification would tell the caller where the user is. The daemon reads the
    /// location outside of the sandbox, so the portal's location permission would have no effect.
    func checkTrigger(
        of request: NotificationRequest, from sender: BusName
    ) throws(NotificationError) {
        guard case .region = request.trigger, rightsCache.known(sender)?.scope != .user else {
            return
        }
        throw NotificationError(
            .accessDenied,
            "The request \(request.identifier.quotedForMessage()) was refused: it waits for a "
                + "region, and its app runs in a sandbox, which hides the location. Ask the portal "
                + "org.freedesktop.portal.Location, and add a request without a trigger.")
    }

    /// Asks the user whether an app without a sandbox may know the location.
    ///
    /// A sandboxed app has to ask the portal.
    func requestLocation(
        _ call: (app: ApplicationID, always: Bool), _ sender: BusName
    ) async throws(NotificationError) -> LocationPermission {
        guard rightsCache.known(sender)?.scope == .user else {
            throw NotificationError(
                .accessDenied,
                "\(call.app) asked for the location, but it runs in a sandbox, which hides the "
                    + "location. Ask the portal org.freedesktop.portal.Location.")
        }
        return try await service.requestLocation(always: call.always, for: call.app)
    }

    func busWasLost() {
        for waiter in rightsCache.forgetAll() { waiter.fulfill(()) }
    }
}

extension NotificationContent {
    /// The hints that a sandboxed app may not send.
    ///
    /// Servers read three of these hints as paths of files. The other hints could name another app.
    /// For example, Plasma shows the text of `x-kde-display-appname` as the app's name. If
    /// `x-kde-appname` names another app, Plasma uses that app's icon and settings.
    ///
    /// Sources: Desktop Notifications Specification 1.2, "Hints", with the names of 1.1;
    /// plasma-workspace, libnotificationmanager/notification.cpp, `processHints`.
    private static let foreignHints: Set<String> = [
        "desktop-entry", "image-path", "image_path", "sound-file", "x-kde-appname",
        "x-kde-display-appname",
    ]

    var withoutForeignPaths: NotificationContent {
        var content = self
        if content.desktop?.icon?.isPath == true { content.desktop?.icon = nil }
        content.desktop?.hints = (desktop?.hints ?? [:]).filter { name, hint in
            if case .string(let text) = hint, text.isPath { return false }
            return !Self.foreignHints.contains(name)
        }
        for index in content.actions.indices where content.actions[index].icon?.isPath == true {
            content.actions[index].icon = nil
        }
        switch content.sound?.source {
        case .named(let name) where name.isPath: content.sound?.source = .standard
        case .ringtoneNamed(let name) where name.isPath: content.sound?.source = .ringtone
        case .named, .ringtoneNamed, .standard, .ringtone, nil: break
        }
        return content
    }
}

extension String {
    /// Whether a notification server or sound player may read the text as a path, not as a name
    /// from a theme.
    var isPath: Bool {
        hasPrefix("/") || hasPrefix("~") || lowercased().hasPrefix("file:")
            || split(separator: "/").contains("..")
    }
}
