internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

// A user may have several session buses; the daemon serves one of them.
extension RemoteService {
    /// The timeout for opening the bus of another session.
    private static let openLimit: Duration = .milliseconds(500)
    /// The pauses between attempts to reach the next daemon, while the former daemon releases the
    /// store.
    private static let releasePauses: [Duration] = [
        .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1), .seconds(2),
    ]

    /// Moves to the bus that the daemon serves.
    ///
    /// If several calls learn the address of that bus at the same time, they share one move.
    func moveConnection(to address: String) async throws(NotificationError) {
        let task = moving ?? Task { await connectElsewhere(address) }
        moving = task
        let failure = await task.value
        if moving == task { moving = nil }
        if let failure { throw failure }
    }

    /// Returns to the bus of this session if the connection `place` is still in use.
    func moveHome(from place: BusConnection) async {
        guard place === elsewhere else { return }
        elsewhere = nil
        listening = nil
        subscriptions = []
        await place.close()
        guard !sessions.isEmpty || !watches.isEmpty else { return }
        Task { await introduceAgain() }
    }

    private func connectElsewhere(_ text: String) async -> NotificationError? {
        let address: BusAddress
        do throws(BusError) {
            address = try BusAddress(text)
            // If another call has already moved to this bus, nothing is left to do.
            if address.leads(toSameBusAs: connection.address) { return nil }
        } catch {
            return Self.outOfReach(text, error.message)
        }
        var options = home.options
        options.reconnect = nil
        options.openTimeout = Self.openLimit
        var failure: BusError?
        // If the other session has ended and its daemon is still exiting, the address is out of
        // date. So wait, and ask for the address again.
        for pause in [nil, Self.releasePauses[0]] {
            if let pause {
                await self.pause(pause)
                if await !isStillServed(on: text) { return nil }
            }
            let place = BusConnection(address: address, reactor: reactor, options: options)
            do throws(BusError) {
                try await place.open()
                try await Self.checkOwner(of: place)
                await useConnection(place)
                return nil
            } catch {
                await place.close()
                failure = error
            }
        }
        return Self.outOfReach(text, failure?.message ?? "It does not answer.")
    }

    /// Whether the daemon on this program's bus still refers callers to `address`.
    private func isStillServed(on address: String) async -> Bool {
        let status = MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: Members.status.name)
        do throws(BusError) {
            _ = try await home.call(status)
            return false
        } catch {
            return error.servedBus == address
        }
    }

    /// Checks that the process of the bus runs as this user.
    ///
    /// A bus of another user would see the requests. The user id comes from the kernel, because a
    /// bus can claim anything about itself.
    private static func checkOwner(of place: BusConnection) async throws(BusError) {
        guard let uid = await place.peerUserID else {
            throw BusError(.accessDenied, "The bus is not a local socket, so its user is unknown.")
        }
        guard uid == geteuid() else {
            throw BusError(.accessDenied, "It belongs to another user (\(uid)).")
        }
    }

    private static func outOfReach(_ address: String, _ reason: String) -> NotificationError {
        NotificationError(
            .storeElsewhere,
            "The notification centre of this user serves another session, whose bus cannot be "
                + "reached from here (\(address.quotedForMessage())): \(reason) Use it there, or "
                + "end that session.")
    }

    private func useConnection(_ place: BusConnection) async {
        let former = elsewhere
        elsewhere = place
        listening = nil
        subscriptions = []
        await place.onStateChange { [weak self] state in
            guard case .disconnected = state else { return }
            Task { await self?.moveHome(from: place) }
        }
        await former?.close()
        guard !sessions.isEmpty || !watches.isEmpty else { return }
        // The call that caused this move is repeated on this bus. Subscribe first, because signals
        // may arrive before the answer to that call.
        do throws(NotificationError) {
            // The subscription to the name's owner registers the sessions with the daemon. A second
            // registration would replace them, and end the questions that they were asked.
            try await listen()
        } catch {
            Task { await registerAgain() }
        }
    }

    /// Finds or starts the next daemon, after the daemon of the other login session has ended.
    ///
    /// The subscription to the name's owner then registers this client's sessions and watches.
    private func introduceAgain() async {
        for pause in Self.releasePauses {
            do throws(NotificationError) {
                try await listen()
                _ = try await status()
                return
            } catch {
                await self.pause(pause)
            }
        }
    }
}

extension BusError {
    /// The address of the bus that the user's notification centre serves, from a `StoreElsewhere`
    /// error; nil for any other error.
    var servedBus: String? {
        remoteName == CenterName.storeElsewhere ? detail : nil
    }
}
