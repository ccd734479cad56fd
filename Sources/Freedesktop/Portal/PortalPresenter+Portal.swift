internal import DesktopBus
internal import NotificationModel
internal import Reactor

extension PortalPresenter {
    static let signals = MatchRule(
        sender: PortalInterface.busName, path: PortalInterface.path,
        interface: PortalInterface.interface, member: "ActionInvoked")

    func availabilityChanged(to availability: ServiceAvailability?) {
        switch availability {
        case .running(let portal):
            if owner != portal { information = nil }
            owner = portal
            announce(true)
        case nil: (owner, information) = (nil, nil)
        case .startable: announce(true)
        // A portal that runs but does not answer counts as absent too. `owner` keeps its value, so
        // that later signals of such a portal are still accepted.
        case .absent: announce(false)
        }
    }

    /// The portal's version and options, which are read once for each process of the portal.
    ///
    /// The result is nil if no portal answers.
    func knowledge() async -> PortalInformation? {
        if let information { return information }
        let asked = owner
        let answer = try? await connection.call(
            PortalInterface.properties, timeout: timeouts.portalStart)
        guard let answer else { return nil }
        let values = answer.arguments.first?.vardictValue ?? [:]
        let found = PortalInformation(properties: values)
        await service.startSucceeded()
        // If the portal was replaced during the call, the answer is about the old portal and is not
        // kept.
        if owner != nil, asked == nil || asked == owner { information = found }
        return found
    }

    private func announce(_ isAvailable: Bool) {
        guard isAnnounced != isAvailable else { return }
        isAnnounced = isAvailable
        listener?(isAvailable ? .available : .unavailable)
        // It is unknown which notifications the portal keeps, so no notification is shown again.
        if isAvailable { listener?(.serverIdentified(isPersistent: false)) }
    }
}
