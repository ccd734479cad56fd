public import CoreLocation
internal import NotificationModel

/// Fires when the device enters or leaves a region.
///
/// On Linux the request is stored and listed, but nothing watches regions yet: it does not fire, and
/// the notification centre's log says so.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The region; a copy of the one that the trigger was made with.
    open var region: CLRegion { storedRegion }

    private let storedRegion: CLRegion

    /// Makes a trigger.
    public init(region: CLRegion, repeats: Bool) {
        storedRegion = region.copy() as? CLRegion ?? region
        super.init(repeats: repeats)
    }

    /// Makes a trigger; the spelling of an old article.
    @available(*, deprecated, renamed: "init(region:repeats:)")
    public convenience init(triggerWithRegion region: CLRegion, repeats: Bool) {
        self.init(region: region, repeats: repeats)
    }

    /// Whether the object is a trigger with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNLocationNotificationTrigger else { return false }
        return super.isEqual(object) && other.region == region
            && (other.region as? CLCircularRegion).map(NotificationRegion.init)
                == (region as? CLCircularRegion).map(NotificationRegion.init)
    }

    /// A hash of the values that equal triggers share.
    open override var hash: Int { super.hash ^ region.hash }

    /// The class, the address and the values.
    open override var description: String { describe([("region", region), ("repeats", repeats)]) }

    /// Reads a trigger from an archive.
    public required init?(coder: NSCoder) {
        guard let region = coder.object(CLRegion.self, "region") else { return nil }
        storedRegion = region
        super.init(coder: coder)
    }

    /// Writes the trigger into an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(region, forKey: "region")
    }
}
