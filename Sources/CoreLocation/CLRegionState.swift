/// The device's place relative to a region.
public enum CLRegionState: Int, Sendable {
    /// The place is unknown.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}
