/// Whether an app may know where the device is.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The user has not been asked yet.
    case notDetermined = 0
    /// The app is not allowed to know the location, and the user cannot allow it. Linux never
    /// reports this.
    case restricted = 1
    /// The app is not allowed to know the location.
    case denied = 2
    /// The app may know the location at any time.
    case authorizedAlways = 3
    /// The app may know the location while the app is in use.
    case authorizedWhenInUse = 4
    /// The name of ``authorizedAlways`` on macOS.
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How precisely an app may know where the device is.
@nonexhaustive(warn)
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As precisely as the device knows.
    case fullAccuracy = 0
    /// Only the approximate area.
    case reducedAccuracy = 1
}
