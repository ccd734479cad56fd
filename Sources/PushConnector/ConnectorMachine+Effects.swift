internal import NotificationModel

extension ConnectorMachine {
    /// How many calls of `Register` may be unanswered at a time.
    static let window = 16

    enum Effect: Hashable {
        /// Find out which interface version a distributor offers; the bus may have to start it.
        case inspect(String)
        /// Call `inspectionDue` after a pause that grows with the failures.
        case retryInspection(afterFailures: Int)
        /// Store a registration, then call `saved` or `saveFailed`.
        case save(PushRegistration)
        case remove(ApplicationID)
        case register(RegisterCall)
        case unregister(token: String, from: Distributor)
        case answer([UInt64], Result<PushRegistration, NotificationError>)
        /// Report a new endpoint to the running app; nil after the registration has ended.
        case report(ApplicationID, PushRegistration?)
        /// Call `retryDue` after a pause that grows with the failures.
        case retry(token: String, afterFailures: Int)
    }

    /// The stage of an app's registration.
    enum Stage: Hashable {
        /// The token is being stored.
        case storing
        /// No distributor can be called now.
        case idle
        case queued
        case calling
        /// The distributor has accepted the app, but has not sent its endpoint.
        case accepted
        case registered
        /// The call failed temporarily, and a retry is planned.
        case pausing
        /// The call failed, and only the user or the app can remove the reason.
        case refused
    }

    struct Distributor: Hashable {
        /// The whole bus name.
        let name: String
        /// The newest known version that the distributor offers; nil until the distributor has been
        /// inspected.
        var version: UnifiedPush.Version?
    }

    struct RegisterCall: Hashable {
        let distributor: Distributor
        let token: String
        let description: String
        let serverKey: String?
        /// The machine's `run` when the call was made.
        ///
        /// `run` grows when the distributor ends or is replaced, and answers to earlier calls are
        /// ignored.
        let run: Int
    }

    /// The random values of a new registration.
    struct Credentials: Hashable {
        var token: String
        var privateKey: [UInt8]
        var authenticationSecret: [UInt8]
    }
}
