package import NotificationModel
internal import Synchronization

/// A location source whose events a test reports.
package final class RecordingLocation: LocationSource {
    private let listener = Mutex<(@Sendable (LocationEvent) -> Void)?>(nil)
    /// The engine's needs, in order; nil if it needs no location.
    package let needs = Recording<LocationNeed?>()

    package init() {}

    /// Reports an event.
    package func report(_ event: LocationEvent) {
        listener.withLock { $0 }?(event)
    }

    package func follow(_ listener: @escaping @Sendable (LocationEvent) -> Void) async {
        self.listener.withLock { $0 = listener }
    }

    package func watch(_ need: LocationNeed?) { needs.append(need) }

    package func status() async -> LocationStatus { .available }
}
