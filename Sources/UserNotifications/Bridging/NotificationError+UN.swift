internal import NotificationModel

extension NotificationError {
    /// The error for apps: a `UNError` if Apple has a code for it, otherwise a `UNServiceError`.
    package var asUserNotificationsError: any Error {
        if let apple = appleCode {
            return UNError(apple, userInfo: [NSLocalizedDescriptionKey: message])
        }
        return UNServiceError(serviceCode, message)
    }

    private var appleCode: UNError.Code? {
        switch code {
        case .notAllowed, .accessDenied: .notificationsNotAllowed
        case .noDate: .notificationInvalidNoDate
        case .attachmentInvalid: .attachmentInvalidURL
        case .attachmentUnrecognized: .attachmentUnrecognizedType
        case .attachmentTooLarge: .attachmentInvalidFileSize
        case .attachmentNotStored: .attachmentMoveIntoDataStoreFailed
        case .badgeInvalid: .badgeInputInvalid
        case .attachmentCorrupt: .attachmentCorrupt
        case .attachmentNotFound: .attachmentNotInDataStore
        default: nil
        }
    }

    private var serviceCode: UNServiceError.Code {
        switch code {
        case .limitReached: .limitReached
        case .storeUnavailable: .storeUnavailable
        case .storeLocked: .storeLocked
        case .storeElsewhere: .storeElsewhere
        case .noSpace: .noSpace
        case .noBus: .noBus
        case .noServer: .noServer
        case .serverRefused: .serverRefused
        case .noDaemon: .noDaemon
        case .protocolViolation: .protocolViolation
        case .noSettings: .noSettings
        case .outdatedDaemon: .outdatedDaemon
        case .noDistributor: .noDistributor
        case .distributorRefused: .distributorRefused
        default: .invalidArgument
        }
    }
}
