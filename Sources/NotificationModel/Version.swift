/// The version of this build: of the programs, the library and the Debian package.
public enum Version {
    /// As `--version` and the daemon's property report it; the Makefile reads this line.
    public static let current = "0.1.0"
}
