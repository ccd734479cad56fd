/// A floor of a building.
///
/// On Linux no service reports a floor, so no location has a floor.
public final class CLFloor: NSObject, Sendable {
    /// The number of the floor; 0 is the ground.
    public let level: Int

    init(level: Int) {
        self.level = level
        super.init()
    }
}

/// The origin of a location.
public final class CLLocationSourceInformation: NSObject, Sendable {
    /// Whether a developer's tool simulated the location.
    public let isSimulatedBySoftware: Bool
    /// Whether an accessory of this device reported the location.
    public let isProducedByAccessory: Bool

    /// Makes a description of an origin.
    public init(
        softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
    ) {
        isSimulatedBySoftware = isSoftware
        isProducedByAccessory = isAccessory
        super.init()
    }
}

extension CLLocation {
    /// How precise the course is; negative, because GeoClue does not state the precision.
    public var courseAccuracy: Double { -1 }
    /// How precise the speed is; negative, because GeoClue does not state the precision.
    public var speedAccuracy: Double { -1 }
    /// The floor; always nil, because GeoClue does not state it.
    public var floor: CLFloor? { nil }
    /// The ``CLLocation/altitude``, which is above mean sea level.
    ///
    /// On Linux the height above the ellipsoid is not known: GeoClue reads the altitude from an
    /// NMEA sentence, but ignores the sentence's height of the geoid.
    ///
    /// Source: GeoClue 2, `gclue_location_create_from_gga`.
    public var ellipsoidalAltitude: CLLocationDistance { altitude }
    /// The origin of the location; always nil, because GeoClue does not state it.
    public var sourceInformation: CLLocationSourceInformation? { nil }
}

/// The user's movement, which Apple's platforms use to save power.
public enum CLActivityType: Int, Sendable {
    /// Unknown.
    case other = 1
    /// In a car.
    case automotiveNavigation
    /// On foot.
    case fitness
    /// On a ship or a train.
    case otherNavigation
    /// In the air.
    case airborne
}

/// The way in which the device is held.
public enum CLDeviceOrientation: Int32, Sendable {
    /// The orientations, in the order of Apple's raw values.
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}

/// The distance of a beacon; on Linux nothing searches for beacons.
public enum CLProximity: Int, Sendable {
    /// The distances, in the order of Apple's raw values.
    case unknown, immediate, near, far
}
