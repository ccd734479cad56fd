internal import DesktopBus
public import NotificationModel

/// The notification server's identity and its capabilities.
public struct ServerInformation: Hashable, Sendable {
    /// The product name, such as `dunst`.
    public let name: String
    /// The server's maker.
    public let vendor: String
    /// The server's version.
    public let version: String
    /// The version of the specification that the server follows.
    public var specification: String
    /// The list that `GetCapabilities` returned, without capabilities that the server lacks.
    public var capabilities: Set<String>

    /// Makes a description of a server.
    public init(
        name: String = "", vendor: String = "", version: String = "", specification: String = "",
        capabilities: Set<String> = []
    ) {
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specification = specification
        let traits = Desktops.traits(server: name, vendor: vendor, version: version)
        self.traits = traits
        self.capabilities = capabilities.subtracting(traits.falseClaims)
    }

    /// The differences of this server from the specification.
    public let traits: ServerTraits

    func has(_ quirk: ServerQuirk) -> Bool { traits.quirks.contains(quirk) }

    /// The label with which the server draws `text` on one of `count` buttons.
    func label(_ text: String, ofOneIn count: Int) -> String {
        let label = has(.drawsMarkupInLabels) ? MarkupEscaping.label(text) : text
        return count <= traits.mnemonicLimit ? MarkupEscaping.mnemonicLabel(label) : label
    }

    /// Reads the answers of `GetServerInformation` and `GetCapabilities`.
    ///
    /// A value of a wrong type counts as empty: a plain popup is better than no popup.
    init(information: [BusValue], capabilities: [BusValue]) {
        let texts = information.map { PlainText.line($0.stringValue ?? "") } + ["", "", "", ""]
        let words = capabilities.first?.stringsValue?.prefix(Limits.capabilities.most) ?? []
        self.init(
            name: texts[0], vendor: texts[1], version: texts[2], specification: texts[3],
            capabilities: Set(words.map(PlainText.line)))
    }

    /// The status that 'tocsin doctor' and an app's settings report.
    public var status: PresenterStatus {
        var usable = capabilities
        if has(.drawsNoButtons) { usable.remove("actions") }
        return PresenterStatus(
            isAvailable: true, name: name, vendor: vendor, version: version,
            specification: specification, capabilities: usable.sorted())
    }
}
