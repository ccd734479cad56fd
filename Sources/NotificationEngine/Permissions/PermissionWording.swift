import NotificationModel

/// One language's words for the question whether an app may notify or know the location; pure.
///
/// Where Apple asks the same question, the words are Apple's. An app's own reason is not translated
/// here, because the app supplies it in the user's language.
struct PermissionWording: Sendable {
    var allow: String
    var deny: String
    /// The question whether the app of this name may notify.
    var notifications: @Sendable (String) -> String
    /// Says what notifications are, for an app that gives no reason.
    var notificationsText: String
    /// The question whether the app of this name may know the location.
    var location: @Sendable (String) -> String
    /// Says what the app does with the location, for an app that gives no reason.
    var locationText: String
    /// Ends the question in a dialog, where more text follows the question.
    var stop = "."

    /// The words in the first of the user's languages that has them; otherwise the English words.
    static func inLanguage(of languages: [String]) -> PermissionWording {
        switch WordingLanguage.first(of: languages) {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        case .japanese: japanese
        case .portuguese: portuguese
        case .simplifiedChinese: simplifiedChinese
        case .traditionalChinese: traditionalChinese
        }
    }

    private static let english = PermissionWording(
        allow: "Allow", deny: "Don\u{2019}t Allow",
        notifications: { "\($0) would like to send you notifications" },
        notificationsText: "Notifications may include alerts, sounds and icon badges.",
        location: { "\($0) would like to use your location" },
        locationText: "The app learns where this device is while the app runs, and can notify you "
            + "at a place.")

    private static let german = PermissionWording(
        allow: "Erlauben", deny: "Nicht erlauben",
        notifications: { "„\($0)“ möchte dir Mitteilungen senden" },
        notificationsText: "Mitteilungen können Hinweise, Töne und Symbolkennzeichen sein.",
        location: { "„\($0)“ möchte deinen Standort verwenden" },
        locationText: "Die App erfährt, wo dieses Gerät ist, solange sie läuft, und kann dich "
            + "an einem Ort benachrichtigen.")

    private static let spanish = PermissionWording(
        allow: "Permitir", deny: "No permitir",
        notifications: { "“\($0)” quiere enviarte notificaciones" },
        notificationsText: "Las notificaciones pueden incluir alertas, sonidos y globos en los "
            + "iconos.",
        location: { "“\($0)” quiere usar tu ubicación" },
        locationText: "La app sabe dónde está este dispositivo mientras se ejecuta y puede "
            + "avisarte en un lugar.")

    private static let french = PermissionWording(
        allow: "Autoriser", deny: "Refuser",
        notifications: { "«\u{A0}\($0)\u{A0}» souhaite vous envoyer des notifications" },
        notificationsText: "Les notifications peuvent inclure des alertes, des sons et des "
            + "pastilles d’icônes.",
        location: { "«\u{A0}\($0)\u{A0}» souhaite utiliser votre position" },
        locationText: "L’app sait où se trouve cet appareil tant qu’elle est ouverte, et peut "
            + "vous avertir à un endroit.")

    private static let japanese = PermissionWording(
        allow: "許可", deny: "許可しない",
        notifications: { "“\($0)”は通知を送信します。よろしいですか？" },
        notificationsText: "通知方法は、テキスト、サウンド、アイコンバッジが利用できる可能性があります。",
        location: { "“\($0)”が位置情報の使用を求めています" },
        locationText: "このアプリは実行中にこのデバイスの位置を取得し、特定の場所で通知することがあります。",
        stop: "")

    private static let portuguese = PermissionWording(
        allow: "Permitir", deny: "Não Permitir",
        notifications: { "“\($0)” deseja enviar notificações" },
        notificationsText: "As notificações podem incluir alertas, sons e avisos nos ícones.",
        location: { "“\($0)” deseja usar a sua localização" },
        locationText: "O app sabe onde este dispositivo está enquanto é executado e pode "
            + "avisar você em um lugar.")

    private static let simplifiedChinese = PermissionWording(
        allow: "允许", deny: "不允许",
        notifications: { "“\($0)”想给你发送通知" },
        notificationsText: "“通知”可能包括提醒、声音和图标标记。",
        location: { "“\($0)”想使用你的位置" },
        locationText: "此App在运行时会获知此设备的位置，并可在某个地点通知你。", stop: "。")

    private static let traditionalChinese = PermissionWording(
        allow: "允許", deny: "不允許",
        notifications: { "「\($0)」想要傳送通知給你" },
        notificationsText: "「通知」可能包含提示、聲音和圖像標記。",
        location: { "「\($0)」想要使用你的位置" },
        locationText: "此App在執行時會得知此裝置的位置，並可在某個地點通知你。", stop: "。")
}
