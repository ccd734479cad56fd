extension ZoneOffsets {
    /// The zone of these rules.
    public init(_ rules: ZoneRules) {
        self.init(
            offset: { rules.offset(at: $0) },
            abbreviation: { rules.localTime(at: $0).abbreviation })
    }
}
