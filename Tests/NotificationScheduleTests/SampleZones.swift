import NotificationSchedule

/// Zones that hold the rules of a few years and do not need the system's tzdata.
enum SampleZones {
    /// Central Europe in 2026 and 2027.
    static let berlin = zone(
        standard: 3_600,
        summers: [(1_774_746_000, 1_792_890_000), (1_806_195_600, 1_824_944_400)])

    /// New York in 2026 and 2027.
    static let newYork = zone(
        standard: -18_000,
        summers: [(1_772_953_200, 1_793_512_800), (1_805_007_600, 1_825_567_200)])

    /// Half an hour of daylight saving, as on Lord Howe Island.
    static let lordHowe = zone(
        standard: 39_600, changes: [(1_775_314_800, 37_800), (1_791_041_400, 39_600)])

    private static func zone(standard: Int, summers: [(Int64, Int64)]) -> ZoneRules {
        zone(
            standard: standard,
            changes: summers.flatMap { [($0.0, standard + 3_600), ($0.1, standard)] })
    }

    /// Returns a zone whose offset changes at each of these times.
    static func zone(standard: Int, changes: [(Int64, Int)]) -> ZoneRules {
        let offsets = [standard] + changes.map(\.1)
        let file = ZoneFileBuilder(
            version: 2, times: changes.map(\.0), kinds: changes.indices.map { UInt8($0 + 1) },
            types: offsets.map { (Int32($0), false, 0) }, names: "ZONE\0")
        guard let rules = try? ZoneRules(tzif: file.bytes()) else {
            preconditionFailure("a sample zone cannot be read")
        }
        return rules
    }
}
