package import DesktopBus
internal import Glibc
internal import NotificationModel

extension BusDescriptor {
    /// The size of the file behind the descriptor, in bytes.
    package var size: Int {
        get throws { try OpenFile(adopting: withDescriptor { dup($0) }, name: "a file").size }
    }
}
