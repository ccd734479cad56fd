import NotificationModel
internal import NotificationStore

/// Work that `EngineState` decides on and `CenterEngine` performs.
///
/// The cases with large values are indirect, because each list of effects copies its elements.
enum EngineEffect: Hashable, Sendable {
    /// Mark at most `limit` rows as presenting, but no rows of the excluded apps.
    ///
    /// The rows are due, or will be due within `EngineState.claimLead`.
    case claim(limit: Int, excluding: Set<ApplicationID>)
    case arm(ClockAlarms)
    /// Hand these presentations to the presenter, in order.
    case present([Presentation])
    case localize(ApplicationID, [ClaimedRequest])
    /// Gather the facts that a popup needs, then report `factsGathered`.
    indirect case gather(token: UInt64, ApplicationID, PostNeeds)
    /// Report an event to the listener of a session.
    indirect case send(ServiceSession, ServiceEvent)
    /// Give a pushed notification to the app's service extension, which runs as a program.
    indirect case extend(ExtensionToken, NotificationRequest, ApplicationID)
    /// Tell the program of an extension that its time is over.
    case expireExtension(ExtensionToken)
    /// Stop the program of an extension.
    case endExtension(ExtensionToken)
    /// Store the extension's version of a notification, then report `rowRevised`.
    indirect case revise(ExtensionToken, ClaimedRequest)
    /// Store how a delivery ended, then report `rowsSettled`.
    indirect case settle(token: UInt64, Settlement)
    /// Store outcomes for the posts that an earlier run left unanswered.
    ///
    /// The argument is the running server; nil if no server runs.
    case settleUnanswered(by: String?)
    indirect case record(NotificationKey, PopupEvent)
    indirect case storeResponse(PendingResponse)
    /// Remove a notification without a response, because the user closed its text dialog.
    indirect case removeUnanswered(DeliveredNotification)
    /// Remove a delivered notification that the app removed during its post.
    indirect case removePosted(DeliveredNotification)
    indirect case tell(ServiceSession, ServiceChange)
    /// Start an app, then report the result to `LaunchMachine`.
    indirect case launch(LaunchRequest)
    /// Store that the attempts to start apps for these responses have ended.
    case endLaunches([Int64])
    /// Store whether the device is inside each region; a change with `fires` makes its request due.
    case applyRegions([RegionChange])
    /// Read the stored regions, and watch those that are not watched yet.
    case watchStoredRegions
    /// Correct the stored dates after a change of the clock or of the zones.
    case correctDates(DateCorrection)
    /// Tell the location source how precise its fixes must be; nil if no fix is needed.
    case watchLocation(LocationNeed?)
    /// Ask the server for its capabilities, because an app asks for permission.
    case inspectPresenter(ApplicationID, token: UInt64)
    /// Close a popup, even if the server has not answered its post yet.
    case withdraw(NotificationKey)
    case closePopups([NotificationKey])
    case closeOldest
    /// Log that an app did not decide in time how to show these notifications.
    case reportSilence([NotificationKey])
    indirect case showDialog(token: UInt64, Dialog)
    case closeDialog(token: UInt64)
    /// Store the user's answer, then report `permissionSaved` or `notSaved`.
    case savePermission(ApplicationID, Permission, about: PermissionSubject = .notifications)
    /// Set the desktop's switch of an app, then report `switchChanged`.
    case setDesktopSwitch(ApplicationID, isOn: Bool)
    /// Store that the switch of a denied app is off on this desktop.
    case noteDenial(ApplicationID, desktop: String)
    indirect case answerPermission([UInt64], Result<Bool, NotificationError>)
    case badge(ApplicationID, Int)
    /// Try again to store the badge that the store refused, unless a newer badge replaced it.
    case storeBadge(ApplicationID)
    /// Perform this step after all earlier restoring steps.
    case restoring(RestoringStep)
    /// Continue the restoring steps after a step failed.
    case resumeRestoring
    /// Hand the deferred responses to their apps, after the unlock.
    case releaseHeld
    /// Read the notification to restore, then report `restorationRead`.
    indirect case readLost(Restoration, token: UInt64)
    /// Store the restored popup (nil if the server shows none), then report `restorationPlaced`.
    indirect case place(PresentedPopup?, Restoration, token: UInt64)
}
