/// The domain of Apple's location errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// The reason why a location manager cannot perform a request.
public struct CLError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kind of failure; raw values are Apple's.
    @nonexhaustive(warn)
    public enum Code: Int, Hashable, Sendable {
        /// The place is not known now.
        case locationUnknown = 0
        /// The app is not allowed to know the place.
        case denied = 1
        /// There is no network.
        case network = 2
        /// The heading is not known now.
        case headingFailure = 3
        /// The app may not watch regions.
        case regionMonitoringDenied = 4
        /// The region cannot be watched.
        case regionMonitoringFailure = 5
        /// The watch for the region begins late; never reported on Linux.
        case regionMonitoringSetupDelayed = 6
        /// Crossings of the region are reported late; never reported on Linux.
        case regionMonitoringResponseDelayed = 7
    }

    /// The kind of failure.
    public let code: Code

    /// Makes an error.
    public init(_ code: Code) {
        self.code = code
    }

    /// The domain of Apple's location errors.
    public static var errorDomain: String { kCLErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The text for the user, under Foundation's key.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    /// The text for the user.
    public var errorDescription: String? { message }

    private var message: String {
        switch code {
        case .denied:
            "The app is not allowed to know the device's location. " + Self.permissionRemedy
        case .regionMonitoringDenied:
            "The region is not watched, because the app is not allowed to know the device's "
                + "location. " + Self.permissionRemedy
        case .regionMonitoringFailure:
            "The region is not watched: it is invalid, or the app watches too many regions. "
                + "Use a CLCircularRegion with a valid centre and radius, or stop watching another "
                + "region."
        case .headingFailure:
            "GeoClue does not report a heading."
        case .locationUnknown, .network, .regionMonitoringSetupDelayed,
            .regionMonitoringResponseDelayed:
            "GeoClue does not know the device's location for the moment. Try again later."
        }
    }

    private static let permissionRemedy =
        "Ask with requestWhenInUseAuthorization(), or allow it with 'tocsin settings'. "
        + "The location must be on, and GeoClue must answer. "
        + "'tocsin doctor' shows whether GeoClue answers."

    /// The place is not known now.
    public static var locationUnknown: Code { .locationUnknown }
    /// The app is not allowed to know the place.
    public static var denied: Code { .denied }
    /// There is no network.
    public static var network: Code { .network }
    /// The heading is not known now.
    public static var headingFailure: Code { .headingFailure }
    /// The app may not watch regions.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The region cannot be watched.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The watch for the region begins late; never reported on Linux.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// Crossings of the region are reported late; never reported on Linux.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
}

/// Lets `catch CLError.denied` and `case CLError.denied` match an error by its code.
public func ~= (code: CLError.Code, error: any Error) -> Bool {
    (error as? CLError)?.code == code
}
