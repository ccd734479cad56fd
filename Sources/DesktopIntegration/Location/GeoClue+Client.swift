internal import DesktopBus
internal import NotificationModel

// The calls of one client object.
extension GeoClue {
    private static let manager: InterfaceName = "org.freedesktop.GeoClue2.Manager"
    private static let managerPath: ObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let clientInterface: InterfaceName = "org.freedesktop.GeoClue2.Client"
    private static let locationInterface: InterfaceName = "org.freedesktop.GeoClue2.Location"

    /// Makes a client; this starts GeoClue.
    func makeClient(_ need: LocationNeed, on bus: BusConnection) async throws(BusError) -> Client {
        let call = MethodCall(
            destination: Self.service, path: Self.managerPath, interface: Self.manager,
            member: "GetClient")
        let reply = try await bus.call(call, timeout: timing.answer)
        guard let path = reply.arguments.first?.objectPathValue, let owner = reply.sender else {
            throw BusError(.unexpectedType, "GeoClue answered GetClient with unexpected types.")
        }
        return Client(path: path, owner: owner, bus: bus, need: need)
    }

    /// Subscribes to the locations and the activity of a client, before the client is started.
    func subscribe(
        to client: Client, on bus: BusConnection
    ) async throws(BusError) -> [BusSubscription] {
        let path = client.path
        let places = MatchRule(
            sender: client.owner, path: path, interface: Self.clientInterface,
            member: "LocationUpdated")
        let moves = try await bus.subscribe(places) { [weak self] signal in
            guard let place = signal.arguments.last?.objectPathValue, place != "/" else { return }
            self?.assumeIsolated { $0.readLocation(at: place, of: client) }
        }
        let properties = MatchRule(
            sender: client.owner, path: path, interface: .properties, member: "PropertiesChanged",
            argument0: Self.clientInterface.rawValue)
        let changes = try await bus.subscribe(properties) { [weak self] signal in
            guard signal.arguments.count >= 2,
                let isActive = signal.arguments[1].vardictValue?["Active"]?.boolValue
            else { return }
            self?.assumeIsolated { $0.activeChanged(to: isActive, of: path) }
        }
        return [moves, changes]
    }

    /// Starts a client; call `subscribe` first, because GeoClue may signal at once.
    func start(_ client: Client, on bus: BusConnection) async throws(BusError) {
        let level = client.need.precision.rawValue
        try await set(("DesktopId", .string(desktopID)), of: client, on: bus)
        try await set(("RequestedAccuracyLevel", .uint32(level)), of: client, on: bus)
        try await set(("TimeThreshold", .uint32(timing.betweenFixes)), of: client, on: bus)
        try await set(Self.threshold(client.need), of: client, on: bus)
        _ = try await bus.call(client.call("Start"), timeout: timing.answer)
    }

    /// The property that says how far the device must move before GeoClue signals the next fix.
    static func threshold(_ need: LocationNeed) -> (MemberName, BusValue) {
        ("DistanceThreshold", .uint32(need.distance))
    }

    func set(
        _ property: (name: MemberName, value: BusValue), of client: Client, on bus: BusConnection
    ) async throws(BusError) {
        let call = MethodCall(
            destination: client.owner, path: client.path, interface: .properties, member: "Set",
            arguments: [
                .string(Self.clientInterface.rawValue), .string(property.name.rawValue),
                .variant(property.value),
            ])
        _ = try await bus.call(call, timeout: timing.answer)
    }

    /// Stops and removes a client; GeoClue then turns off receivers that no other client needs.
    func remove(_ client: Client) {
        for subscription in client.subscriptions { subscription.cancel() }
        let removal = MethodCall(
            destination: client.owner, path: Self.managerPath, interface: Self.manager,
            member: "DeleteClient", arguments: [.objectPath(client.path)])
        // The answers do not matter: GeoClue removes the client at the latest when the connection
        // ends.
        client.bus.call(client.call("Stop"), timeout: timing.answer) { _ in }
        client.bus.call(removal, timeout: timing.answer) { _ in }
    }

    /// Reads a location object in one call, because GeoClue removes it soon after the signal.
    private func readLocation(at place: ObjectPath, of client: Client) {
        let call = MethodCall(
            destination: client.owner, path: place, interface: .properties, member: "GetAll",
            arguments: [.string(Self.locationInterface.rawValue)])
        client.bus.call(call, timeout: timing.answer) { [weak self] result in
            guard let values = try? result.get().arguments.first?.vardictValue,
                let fix = LocationFix(values)
            else { return }
            self?.assumeIsolated { $0.moved(to: fix, by: client.path) }
        }
    }

    static func status(after error: BusError) -> LocationStatus {
        switch error.code {
        case .timedOut: .noAgent
        // GeoClue before 2.6 refuses to start a client while no agent runs.
        case .accessDenied: error.message.contains("no agent") ? .noAgent : .denied
        default: .missing
        }
    }
}

extension GeoClue.Client {
    fileprivate func call(_ member: MemberName) -> MethodCall {
        MethodCall(
            destination: owner, path: path, interface: "org.freedesktop.GeoClue2.Client",
            member: member)
    }
}

extension LocationFix {
    /// Reads the properties of `org.freedesktop.GeoClue2.Location`; nil if they lack a position.
    init?(_ properties: [String: BusValue]) {
        guard let latitude = properties["Latitude"]?.doubleValue,
            let longitude = properties["Longitude"]?.doubleValue
        else { return nil }
        self.init(
            latitude: latitude, longitude: longitude,
            accuracy: properties["Accuracy"]?.doubleValue ?? 0,
            date: properties["Timestamp"].flatMap(Instant.init(timestamp:)))
        // GeoClue reports an unknown altitude as the lowest double, and an unknown speed or heading
        // as -1.
        altitude = properties["Altitude"]?.doubleValue.flatMap { $0 > -1e6 ? $0 : nil }
        speed = properties["Speed"]?.doubleValue.flatMap { $0 >= 0 ? $0 : nil }
        course = properties["Heading"]?.doubleValue.flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension Instant {
    /// Reads a time in GeoClue's form: seconds and microseconds; returns nil for any other value.
    fileprivate init?(timestamp: BusValue) {
        guard let parts = timestamp.structureValue, parts.count == 2,
            case .uint64(let seconds) = parts[0], case .uint64(let microseconds) = parts[1]
        else { return nil }
        self = Instant(seconds: Int64(clamping: seconds))
            .adding(microseconds: Int64(clamping: microseconds))
    }
}
