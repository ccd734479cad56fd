import NotificationSchedule

/// Zones by their rules of some years, without the system's tables.
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
    static let lordHowe = ZoneOffsets(
        offset: { $0 < 1_775_314_800 || $0 >= 1_791_041_400 ? 39_600 : 37_800 },
        abbreviation: { _ in "LH" })

    private static func zone(standard: Int, summers: [(Int64, Int64)]) -> ZoneOffsets {
        let isSummer = { @Sendable (seconds: Int64) in
            summers.contains { $0.0 <= seconds && seconds < $0.1 }
        }
        return ZoneOffsets(
            offset: { isSummer($0) ? standard + 3_600 : standard },
            abbreviation: { isSummer($0) ? "S" : "W" })
    }
}
