/// Where the device is, seen from a region.
public enum CLRegionState: Int, Sendable {
    /// It is not known.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}
