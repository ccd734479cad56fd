//
//  NotificationManager+Delegates.swift
//  Pillbox
//

import CoreLocation
import UserNotifications

// MARK: - UNUserNotificationCenterDelegate

extension NotificationManager: UNUserNotificationCenterDelegate {

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        print("will present \(notification.request.content.title)")
        if #available(iOS 14.0, macOS 11.0, *) {
            completionHandler([.list, .banner, .sound])
        } else {
            completionHandler([.alert, .sound])
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        defer { completionHandler() }
        let userInfo = response.notification.request.content.userInfo
        guard let pill = userInfo["pill"] as? String else { return }

        switch response.actionIdentifier {
        case Action.take.rawValue:
            delegate?.notificationManager(self, didTake: pill)
        case Action.snooze.rawValue:
            snooze(response.notification.request)
            delegate?.notificationManager(self, didSnooze: pill)
        case Action.note.rawValue:
            if let textResponse = response as? UNTextInputNotificationResponse {
                delegate?.notificationManager(self, didWrite: textResponse.userText, on: pill)
            }
        case UNNotificationDefaultActionIdentifier:
            if let link = userInfo["link"] as? String, let url = URL(string: link) {
                delegate?.notificationManager(self, open: url)
            }
        case UNNotificationDismissActionIdentifier:
            print("dismissed \(pill)")
        default:
            break
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        print("open settings for \(notification?.request.identifier ?? "the app")")
    }

    private func snooze(_ request: UNNotificationRequest) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return
        }
        content.subtitle = "Snoozed"
        let trigger = UNTimeIntervalNotificationTrigger(
            timeInterval: Constants.snoozeInterval, repeats: false)
        let again = UNNotificationRequest(
            identifier: request.identifier, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(again, withCompletionHandler: nil)
    }
}

// MARK: - CLLocationManagerDelegate

extension NotificationManager: CLLocationManagerDelegate {

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined:
            manager.requestWhenInUseAuthorization()
        case .restricted, .denied:
            print("location is not available")
        case .authorizedAlways, .authorizedWhenInUse:
            print("location is available")
        @unknown default:
            break
        }
    }
}
