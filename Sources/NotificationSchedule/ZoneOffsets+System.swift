internal import Glibc

extension ZoneOffsets {
    /// The zone of this process: `TZ` where it is set, else the system's, by the system's tzdata.
    public static var system: ZoneOffsets {
        var environment: [String: String] = [:]
        for name in ["TZ", "TZDIR"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        // Whoever prints a time shows its offset: no message beside it.
        var directory = ZoneDirectory(environment: environment, files: .system, report: { _ in })
        let name =
            PersonsZone.fixed(environment: environment, directory: &directory)
            ?? PersonsZone.ofSystem(files: .system, directory: &directory)
        return ZoneOffsets(directory.rulesOrUTC(named: name))
    }
}
