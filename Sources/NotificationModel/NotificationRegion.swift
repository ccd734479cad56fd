/// A circle on Earth that a device may enter and leave.
public struct NotificationRegion: Hashable, Sendable {
    /// What the app calls it.
    public var identifier: String
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// Metres.
    public var radius: Double
    /// Whether entering fires.
    public var onEntry: Bool
    /// Whether leaving fires.
    public var onExit: Bool

    /// Makes a region.
    public init(
        identifier: String, latitude: Double, longitude: Double, radius: Double,
        onEntry: Bool = true, onExit: Bool = true
    ) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.onEntry = onEntry
        self.onExit = onExit
    }

    /// Whether there is such a circle on Earth.
    public var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && radius.isFinite
            && radius > 0
    }
}
