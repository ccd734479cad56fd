import CustomDump
import UIKit
import UserNotifications

// swift-custom-dump has parts for UIKit and for UserNotifications behind `#if canImport`. Without
// them it prints another text for these values.
customDump([.alert] as UNAuthorizationOptions)
customDump([.selected] as UIControl.State)
