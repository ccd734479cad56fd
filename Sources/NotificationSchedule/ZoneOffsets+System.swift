internal import Glibc

extension ZoneOffsets {
    /// The zone of this process: `TZ` where it is set, else the system's, by glibc.
    public static var system: ZoneOffsets {
        tzset()
        return ZoneOffsets(
            offset: { Int(local($0).tm_gmtoff) },
            abbreviation: { seconds in
                local(seconds).tm_zone.map { String(cString: $0) } ?? ""
            })
    }

    private static func local(_ seconds: Int64) -> tm {
        var time = time_t(seconds)
        var fields = tm()
        localtime_r(&time, &fields)
        return fields
    }
}
