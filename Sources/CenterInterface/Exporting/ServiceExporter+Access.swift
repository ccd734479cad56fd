internal import DesktopBus
internal import NotificationModel

// Who may call what: every member of the table passes here.
extension ServiceExporter {
    /// The member behind the check of its caller.
    nonisolated func guarded(_ entry: MethodEntry) -> MethodEntry {
        let reach = MemberReach.of(entry.name.rawValue)
        return MethodEntry(entry.name, in: entry.in, out: entry.out) { invocation in
            try await self.admit(invocation, reach)
            return try await entry.handler(invocation)
        }
    }

    private func admit(
        _ invocation: MethodInvocation, _ reach: MemberReach
    ) async throws(BusError) {
        guard let rights = await rights(of: invocation.sender) else {
            throw NotificationError(
                .limitReached,
                "The notification centre cannot see who calls, because it has too much to do. "
                    + "Call it again."
            ).busError
        }
        let member = invocation.member.rawValue
        let app = Self.namedApp(invocation.arguments)
        if let refusal = rights.refusal(of: member, reach, naming: app) {
            throw refusal.busError
        }
    }

    /// The app that a call names: its first argument, or the `id` of `Connect`.
    private static func namedApp(_ arguments: [BusValue]) -> String? {
        guard let first = arguments.first else { return nil }
        return first.stringValue ?? first.vardictValue?["id"]?.unwrapped.stringValue
    }

    /// What a caller may do, nil where that cannot be found out for the moment; calls of one sender
    /// go on in their order.
    func rights(of sender: BusName) async -> CallerRights? {
        switch admission.ask(sender) {
        case .known(let rights): return rights
        case .lookUp(let run):
            let rights = await inspect(sender)
            for waiter in admission.answer(sender, rights, run: run) { waiter.resume() }
            return rights
        case .wait:
            // What is waited for may have come on the way here.
            await withCheckedContinuation { continuation in
                if !admission.wait(sender, continuation) { continuation.resume() }
            }
            return admission.known(sender)
        }
    }

    /// What a sandboxed caller says of itself may not lead to other apps or to files of ours.
    func bounded(
        _ content: NotificationContent, of sender: BusName
    ) -> NotificationContent {
        guard admission.known(sender)?.scope != .person else { return content }
        var content = content
        content.desktop?.hints["desktop-entry"] = nil
        return content
    }

    func busWasLost() {
        for waiter in admission.forgetAll() { waiter.resume() }
    }
}
