internal import CDesktopBus

extension BusConnection {
    func receive(_ message: IncomingMessage) {
        switch message.type {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receiveReply(message)
        case DBUS_MESSAGE_TYPE_SIGNAL: receiveSignal(message)
        case DBUS_MESSAGE_TYPE_METHOD_CALL: receiveCall(message)
        default: break
        }
    }

    private func receiveSignal(_ message: IncomingMessage) {
        // libdbus itself makes these signals when the socket is closed. `takeMessages` notices the
        // loss after the last message.
        guard message.interface != "org.freedesktop.DBus.Local" else { return }
        receiveSignalOfBus(message)
        let candidates = subscriptions.filter { $0.wants(message, owners: owners) }
        guard !candidates.isEmpty else { return }
        // Drop a signal if its body cannot be read: the body may be too large, or no descriptor may
        // be free. Subscribers must expect that signals are lost.
        let budget = options.maximumReceivedSize
        guard let arguments = try? message.arguments(budget: budget) else { return }
        let signal = BusSignal(
            sender: message.sender, path: ObjectPath(trusted: message.path),
            interface: InterfaceName(trusted: message.interface),
            member: MemberName(trusted: message.member), arguments: arguments)
        for candidate in candidates where candidate.liveness.stands {
            candidate.handler(signal)
        }
    }

    /// Handles the bus's own signals before subscribers do, so that `owners` is up to date in their
    /// handlers.
    private func receiveSignalOfBus(_ message: IncomingMessage) {
        guard message.interface == "org.freedesktop.DBus",
            message.sender?.rawValue == "org.freedesktop.DBus",
            let arguments = try? message.arguments(), let text = arguments.first?.stringValue
        else { return }
        let name = BusName(trusted: text)
        switch message.member {
        case "NameOwnerChanged" where message.signature == "sss":
            let owner = arguments[2].stringValue ?? ""
            setOwner(of: name, owner.isEmpty ? nil : BusName(trusted: owner))
        case "NameLost":
            nameWasLost(name)
        default:
            break
        }
    }
}
