/// Whether an app may know where the device is.
@nonexhaustive(warn)
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The person has not been asked yet.
    case notDetermined = 0
    /// The app may not, and no one can change it: so it always is here.
    case restricted = 1
    /// The app may not.
    case denied = 2
    /// The app may at any time.
    case authorizedAlways = 3
    /// The app may while it is in use.
    case authorizedWhenInUse = 4
}

/// How precisely an app may know where the device is.
@nonexhaustive(warn)
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As precisely as the device knows.
    case fullAccuracy = 0
    /// About the area alone.
    case reducedAccuracy = 1
}
