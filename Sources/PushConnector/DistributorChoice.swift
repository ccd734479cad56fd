/// Lists the distributors of a session, and chooses the distributor to use.
struct DistributorChoice: Hashable {
    private(set) var running: Set<String> = []
    private(set) var activatable: Set<String> = []
    /// The distributor's name from the environment.
    private let preset: String?
    /// The name of the distributor that the user has chosen; it overrides `preset`.
    var chosen: String?

    init(preset: String?) {
        self.preset = preset
    }

    /// The name of the only distributor that may be used; nil if any distributor may be used.
    var wanted: String? { chosen ?? preset }

    /// The names of all distributors, without their prefix and in order.
    var available: [String] { all.map(UnifiedPush.name(of:)).sorted() }

    private var all: Set<String> { running.union(activatable) }

    mutating func update(running: Set<String>, activatable: Set<String>) {
        (self.running, self.activatable) = (running, activatable)
    }

    /// Whether a distributor of this name runs or can be started.
    func isAvailable(_ name: String) -> Bool { all.contains(UnifiedPush.busName(of: name)) }

    /// The bus name of the distributor to use; nil if no usable distributor is available.
    ///
    /// If `wanted` names a distributor, the result is that distributor or nil. Otherwise it is the
    /// first distributor of `candidates` that is available.
    func preferred(present: String?, used: [String]) -> String? {
        if let wanted {
            let name = UnifiedPush.busName(of: wanted)
            return all.contains(name) ? name : nil
        }
        let candidates = [
            present, used.filter(all.contains).min(), UnifiedPush.busName(of: "kde"),
            running.min(), activatable.min(),
        ]
        return candidates.lazy.compactMap(\.self).first(where: all.contains)
    }
}
