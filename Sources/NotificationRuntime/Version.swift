/// The version of this build.
public enum Version {
    /// As `--version` and the daemon's property report it.
    public static let current = "0.1.0"
}
