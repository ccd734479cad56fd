internal import NotificationModel
internal import NotificationRuntime

extension UIApplication {
    /// Reads the dynamic actions that this process or an earlier process of the app has set.
    func readShortcutItems() -> [UIApplicationShortcutItem] {
        surroundings.desktop.quickActions().filter { $0.kind == .dynamic }
            .map { UIApplicationShortcutItem($0) }
    }

    /// Writes the dynamic actions; a failure is written to standard error.
    func writeShortcutItems(_ items: [UIApplicationShortcutItem]) {
        if items.count > Limits.quickActions.most {
            Self.logMessage(
                "\(items.count) quick actions are more than the \(Limits.quickActions.most) that a "
                    + "menu gets. \(Limits.quickActions.remedy).")
        }
        do {
            let actions = try items.prefix(Limits.quickActions.most).map { try $0.quickAction() }
            try surroundings.desktop.setDynamicActions(actions)
        } catch let error as NotificationError {
            Self.logMessage(error.message)
        } catch {
            Self.logMessage("The quick actions were not set: \(error)")
        }
    }

    func shortcutItem(_ choice: QuickActionChoice) -> UIApplicationShortcutItem? {
        let action = surroundings.desktop.quickActions().first { $0.name == choice.name }
        guard let action else {
            Self.logMessage(
                "The quick action \(choice.name.quotedForMessage()) is not performed: the app's "
                    + "desktop file does not have it any more.")
            return nil
        }
        let item = UIApplicationShortcutItem(action)
        item.activationToken = choice.activationToken
        return item
    }
}
