extension ApplicationIdentity {
    static let fields = FieldTable<ApplicationIdentity>([
        Field(required: "id", \.id),
        Field("name", \.name, ""),
        Field("icon", \.icon, ""),
        Field("hasDesktopEntry", \.hasDesktopEntry, false),
        Field("executable", \.executable, ""),
        Field("arguments", \.arguments, []),
        Field("directory", \.directory, ""),
        Field("startsInBackground", \.startsInBackground, false),
        Field("usageDescription", \.usageDescription, ""),
        Field("locationUsageDescription", \.locationUsageDescription, ""),
        Field("needsPermission", \.needsPermission, false),
        Field("resources", \.resources),
        Field("formerID", \.formerID),
    ])

    package static let record = Record(fields) { ApplicationIdentity(id: .tocsin, name: "") }
}

/// An app's introduction when it connects: its identity and the purpose of its connection.
package struct ApplicationIntroduction: Hashable, Sendable {
    /// The purpose of a connection.
    package struct SessionOptions: Hashable, Sendable {
        /// Whether the app decides what is shown while it runs.
        package var asksBeforePresenting: Bool
        /// Whether the app handles responses now; if false, its responses wait.
        package var handlesResponses: Bool
        /// Whether the app changes pushed notifications before they are shown.
        package var extendsPushes: Bool
        /// The identifiers of the notifications whose responses the app waits for; nil for all.
        package var identifiers: Set<String>?

        /// Without arguments, the app only makes calls and receives the user's responses.
        package init(
            asksBeforePresenting: Bool = false, handlesResponses: Bool = true,
            extendsPushes: Bool = false, identifiers: Set<String>? = nil
        ) {
            self.asksBeforePresenting = asksBeforePresenting
            self.handlesResponses = handlesResponses
            self.extendsPushes = extendsPushes
            self.identifiers = identifiers
        }

        /// The identifiers in order; empty for all.
        fileprivate var sortedIdentifiers: [String] {
            get { identifiers?.sorted() ?? [] }
            set { identifiers = newValue.isEmpty ? nil : Set(newValue) }
        }
    }

    package var identity: ApplicationIdentity
    package var sessionOptions: SessionOptions

    package init(
        _ identity: ApplicationIdentity, _ sessionOptions: SessionOptions = SessionOptions()
    ) {
        self.identity = identity
        self.sessionOptions = sessionOptions
    }

    package static let record = Record<ApplicationIntroduction>([
        Field(inline: ApplicationIdentity.fields, \.identity),
        Field("asksBeforePresenting", \.sessionOptions.asksBeforePresenting, false),
        Field("handlesResponses", \.sessionOptions.handlesResponses, true),
        Field("extendsPushes", \.sessionOptions.extendsPushes, false),
        Field("identifiers", \.sessionOptions.sortedIdentifiers, []),
    ]) { ApplicationIntroduction(ApplicationIdentity(id: .tocsin, name: "")) }
}
