/// A circle on Earth.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    // Unchecked Sendable: `CLRegion` has the reason.
    /// The middle of the circle.
    open private(set) var center: CLLocationCoordinate2D
    /// The circle's radius, in metres.
    open private(set) var radius: CLLocationDistance

    /// Makes a circle.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Whether the place lies in the circle, by the distance along a great circle.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.distance(to: coordinate) <= radius
    }

    /// A copy with equal values, independent of this region.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        copy.takeFlags(of: self)
        return copy
    }

    /// The class, the name and the circle.
    open override var description: String {
        let middle = String(format: "<%+.8f,%+.8f>", center.latitude, center.longitude)
        return "\(type(of: self)) (identifier:'\(identifier)', center:\(middle), "
            + String(format: "radius:%.2fm)", radius)
    }

    /// Reads a region from an archive.
    public required init?(coder: NSCoder) {
        center = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude"))
        radius = coder.decodeDouble(forKey: "radius")
        super.init(coder: coder)
    }

    /// Writes the region into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: "latitude")
        coder.encode(center.longitude, forKey: "longitude")
        coder.encode(radius, forKey: "radius")
    }
}
