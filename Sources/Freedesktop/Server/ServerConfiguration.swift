internal import NotificationModel

extension ServerConfiguration {
    /// Whether the server's configuration file turns the capability on.
    ///
    /// The method reads the file, and blocks while the file system hangs.
    package func isOn(in environment: [String: String]) -> Bool {
        let files = Self.folders(in: environment).map { "\($0)/\(file)" }
        guard let found = files.lazy.compactMap(OpenFile.init(following:)).first,
            let bytes = found.bytes(upTo: Limits.configurationFile.most),
            case .dictionary(let values)? = try? JSONReader.value(of: bytes)
        else { return false }
        return values[key] == .boolean(true)
    }

    /// The folders of configuration files, the user's own folder first.
    ///
    /// Source: XDG Base Directory Specification.
    private static func folders(in environment: [String: String]) -> [String] {
        func paths(_ name: String) -> [String] {
            (environment[name] ?? "").split(separator: ":").map(String.init)
                .filter { $0.hasPrefix("/") }
        }
        let own = paths("XDG_CONFIG_HOME").prefix(1) + paths("HOME").map { "\($0)/.config" }
        let system = paths("XDG_CONFIG_DIRS")
        return Array(own.prefix(1)) + (system.isEmpty ? ["/etc/xdg"] : system)
    }
}

extension ServerInformation {
    /// This information; if `isOn` is false, without the capability that the configuration
    /// controls.
    package func configured(_ isOn: Bool) -> ServerInformation {
        guard let configuration = traits.configuration, !isOn else { return self }
        var information = self
        information.capabilities.remove(configuration.capability)
        return information
    }
}
