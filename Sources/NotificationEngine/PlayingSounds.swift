import NotificationModel

/// How many sounds of each app are being played; pure.
///
/// Sounds of popups that come together are heard together, as from the servers that play them
/// themselves. Of a flood a few are enough: each more is a process, and none of them can be told apart.
struct PlayingSounds {
    /// How many of one app are heard at a time.
    static let limit = 4

    private var counts: [ApplicationID: Int] = [:]

    /// How many of this app are heard now.
    func count(of app: ApplicationID) -> Int { counts[app, default: 0] }

    /// Begins one more; false where there are enough.
    mutating func begin(of app: ApplicationID) -> Bool {
        guard count(of: app) < Self.limit else { return false }
        counts[app, default: 0] += 1
        return true
    }

    /// One has ended.
    mutating func end(of app: ApplicationID) {
        let rest = count(of: app) - 1
        counts[app] = rest > 0 ? rest : nil
    }
}
