package import DesktopBus
package import NotificationModel

/// The values of the bus as JSON: the same keys, for programs that are not on the bus.
package enum JSONCoding {
    /// A value as JSON text.
    package static func text(_ value: BusValue) -> String {
        RecordJSON.text(RecordValue(value), isFree: true)
    }

    /// The value of a JSON text.
    package static func value(of bytes: [UInt8]) throws(NotificationError) -> BusValue {
        BusValue(try RecordJSON.value(of: bytes))
    }
}
