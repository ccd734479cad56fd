extension PushRegistration {
    /// The registration as the store keeps it; app and token are columns of its row.
    package static let record = Record<PushRegistration>([
        Field("name", \.name, ""),
        Field("privateKey", \.privateKeyText, ""),
        Field("authenticationSecret", \.authenticationText, ""),
        Field("serverKey", \.serverKey),
        Field("distributor", \.distributor),
        Field("endpoint", \.endpoint),
    ]) {
        PushRegistration(app: .tocsin, token: "", privateKey: [], authenticationSecret: [])
    }

    private var privateKeyText: String {
        get { Base64.text(privateKey) }
        set { privateKey = Base64.bytes(newValue) ?? [] }
    }

    private var authenticationText: String {
        get { Base64.text(authenticationSecret) }
        set { authenticationSecret = Base64.bytes(newValue) ?? [] }
    }
}

extension PushStatus {
    /// The state of the push connector.
    package static let record = Record<PushStatus>([
        Field("supported", \.isSupported, false),
        Field("distributor", \.distributor, ""),
        Field("version", \.version, 0),
        Field("chosen", \.chosen, ""),
        Field("available", \.available, []),
        Field("apps", \.appCount, 0),
        Field("endpoints", \.endpointCount, 0),
        Field("unreadable", \.unreadableCount, 0),
        Field("problem", \.problem, ""),
    ]) { PushStatus() }
}
