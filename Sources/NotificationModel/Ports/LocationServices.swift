/// Gives an app's location managers the places of the device, and the user's permission.
///
/// All location managers of an app share one such object. Calls return at once and take effect in
/// their order. Reports come in order, on any thread.
public protocol LocationServices: Sendable {
    /// Registers a location manager.
    func connect(_ listener: @escaping @Sendable (LocationReport) -> Void) -> LocationClient

    /// Ends the reports that a manager asked for.
    ///
    /// Reports about regions continue, because the regions belong to the whole app.
    func disconnect(_ client: LocationClient)

    /// The user's permission, and whether there is a location service.
    ///
    /// A read waits until both values are known, but at most for a second.
    var state: LocationState { get }

    /// Reports the state to a manager as soon as it is known.
    func reportState(to client: LocationClient)

    /// Asks the user for permission, unless the user has decided.
    ///
    /// Each manager gets a report if the state changes.
    func requestPermission(always: Bool)

    /// Reports places until `stopUpdates(of:)`.
    ///
    /// `need` also says how far the device must move between two reports. A start cancels a pending
    /// request for one place; a changed need of running updates does not.
    func startUpdates(_ need: LocationNeed, of client: LocationClient)

    /// Ends the reports of places, and cancels a pending request for one place.
    func stopUpdates(of client: LocationClient)

    /// Requests one place.
    ///
    /// The report is a place or a failure; a cancelled request gets no report.
    func requestFix(_ need: LocationNeed, of client: LocationClient)

    /// Watches a region, which replaces a watched region with the same identifier.
    func monitor(_ region: NotificationRegion)

    /// Ends the watch for a region.
    func stopMonitoring(_ identifier: String)

    /// The regions that the app watches.
    var monitoredRegions: [NotificationRegion] { get }

    /// Reports once whether the device is inside a region.
    func requestSide(of region: NotificationRegion, for client: LocationClient)
}

/// Identifies a location manager of the app.
public struct LocationClient: Hashable, Sendable {
    package var number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// Whether an app gets places.
public struct LocationState: Hashable, Sendable {
    /// The user's decision.
    ///
    /// The value is also `denied` if the location is off or the location service refuses.
    public var permission: LocationPermission
    /// Whether there is a location service, and the user did not turn it off.
    public var isEnabled: Bool

    /// Makes a state.
    public init(permission: LocationPermission, isEnabled: Bool) {
        self.permission = permission
        self.isEnabled = isEnabled
    }
}

/// A report to a location manager.
public enum LocationReport: Hashable, Sendable {
    /// The state is known, or has changed.
    case state(LocationState)
    /// The device is at a place.
    case fix(LocationFix)
    /// No place is known.
    case failed(LocationFailure)
    /// The watch for a region began.
    case monitoring(NotificationRegion)
    /// The watch for a region failed.
    case monitoringFailed(NotificationRegion, LocationFailure)
    /// The device crossed the boundary of a watched region.
    case crossed(NotificationRegion, isInside: Bool)
    /// Whether the device is inside a region; nil if that is unknown.
    case side(NotificationRegion, isInside: Bool?)
}

/// The reason why a location manager gets no place.
public enum LocationFailure: Hashable, Sendable {
    /// The app is not allowed to know the location, or there is no location service.
    case denied
    /// The place is not known now.
    case unknown
    /// The region cannot be watched.
    case unusable
}

/// Reads and requests the user's decision whether an app may know the location.
public struct LocationPermissions: Sendable {
    /// Reads the decision.
    public var read: @Sendable () async throws -> LocationPermission
    /// Asks the user, unless the user has decided.
    ///
    /// If the argument is true, the app asks to know the location at any time.
    public var request: @Sendable (Bool) async throws -> LocationPermission

    /// Makes a value from closures.
    public init(
        read: @escaping @Sendable () async throws -> LocationPermission,
        request: @escaping @Sendable (Bool) async throws -> LocationPermission
    ) {
        self.read = read
        self.request = request
    }
}
