extension CLLocation {
    /// Metres above the ellipsoid; 0.
    public var altitude: CLLocationDistance { 0 }
    /// How precise the altitude is; negative, because it is unknown.
    public var verticalAccuracy: CLLocationAccuracy { -1 }
    /// The direction of the movement; negative, because it is unknown.
    public var course: Double { -1 }
    /// The speed; negative, because it is unknown.
    public var speed: Double { -1 }
}
