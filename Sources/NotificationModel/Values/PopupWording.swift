/// The words that Tocsin itself writes on popups, in one language.
///
/// Buttons are short and in sentence case, like the desktops' own buttons.
package struct PopupWording: Sendable {
    /// The label of the default action (a click on the popup), for servers that show that label.
    package var open: String
    /// The button that opens the app's own notification settings.
    package var settings: String
    /// The button that takes a line of text.
    package var reply: String
    /// The button that sends the typed text.
    package var send: String
    /// The button that shows the notification again after this length of time.
    package var snooze: @Sendable (_ length: String) -> String
    /// Stands in place of hidden texts.
    package var hiddenText: String
    /// Says how many notifications arrived during the user's absence and have no popup.
    package var missed: @Sendable (_ count: Int) -> String
    /// Names some of the missed notifications, and says how many others there are.
    package var missedNames: @Sendable (_ names: String, _ rest: Int) -> String
    /// The text if no missed notification has a name.
    package var missedUnnamed: String
    /// Separates the names.
    package var separator = ", "
    /// The units of time, each with the space between the number and the unit.
    package var units = (day: " d", hour: " h", minute: " min", second: " s")
    /// Separates two units, as in `1 h 30 min`.
    package var unitSeparator = " "
}

extension WordingLanguage {
    /// The words on popups.
    package var words: PopupWording {
        switch self {
        case .english: .english
        case .german: .german
        case .spanish: .spanish
        case .french: .french
        case .japanese: .japanese
        case .portuguese: .portuguese
        case .simplifiedChinese: .simplifiedChinese
        case .traditionalChinese: .traditionalChinese
        }
    }
}

extension PopupWording {
    fileprivate static let english = PopupWording(
        open: "Open", settings: "Settings", reply: "Reply", send: "Send",
        snooze: { "Snooze \($0)" }, hiddenText: "Notification",
        missed: { $0 == 1 ? "1 more notification" : "\($0) more notifications" },
        missedNames: { "While you were away: \($0)" + ($1 > 0 ? " and \($1) more" : "") },
        missedUnnamed: "These notifications arrived while you were away.")

    fileprivate static let german = PopupWording(
        open: "Öffnen", settings: "Einstellungen", reply: "Antworten", send: "Senden",
        snooze: { "In \($0) erinnern" }, hiddenText: "Mitteilung",
        missed: { $0 == 1 ? "1 weitere Mitteilung" : "\($0) weitere Mitteilungen" },
        missedNames: {
            "Während deiner Abwesenheit: \($0)" + ($1 > 0 ? " und \($1) weitere" : "")
        },
        missedUnnamed: "Diese Mitteilungen kamen während deiner Abwesenheit.",
        units: (day: " Tg.", hour: " Std.", minute: " Min.", second: " Sek."))

    fileprivate static let spanish = PopupWording(
        open: "Abrir", settings: "Configuración", reply: "Responder", send: "Enviar",
        snooze: { "Posponer \($0)" }, hiddenText: "Notificación",
        missed: { $0 == 1 ? "1 notificación más" : "\($0) notificaciones más" },
        missedNames: { "Mientras no estabas: \($0)" + ($1 > 0 ? " y \($1) más" : "") },
        missedUnnamed: "Estas notificaciones llegaron mientras no estabas.")

    fileprivate static let french = PopupWording(
        open: "Ouvrir", settings: "Paramètres", reply: "Répondre", send: "Envoyer",
        snooze: { "Rappeler dans \($0)" }, hiddenText: "Notification",
        missed: { $0 == 1 ? "1 autre notification" : "\($0) autres notifications" },
        missedNames: {
            "Pendant votre absence\u{A0}: \($0)"
                + ($1 > 0 ? " et \($1) \($1 == 1 ? "autre" : "autres")" : "")
        },
        missedUnnamed: "Ces notifications sont arrivées pendant votre absence.",
        units: (day: " j", hour: " h", minute: " min", second: " s"))

    fileprivate static let japanese = PopupWording(
        open: "開く", settings: "設定", reply: "返信", send: "送信",
        snooze: { "\($0)後に再通知" }, hiddenText: "通知",
        missed: { "ほか\($0)件の通知" },
        missedNames: { "不在中の通知: \($0)" + ($1 > 0 ? "、ほか\($1)件" : "") },
        missedUnnamed: "不在中に届いた通知です。", separator: "、",
        units: (day: "日", hour: "時間", minute: "分", second: "秒"), unitSeparator: "")

    fileprivate static let portuguese = PopupWording(
        open: "Abrir", settings: "Configurações", reply: "Responder", send: "Enviar",
        snooze: { "Adiar por \($0)" }, hiddenText: "Notificação",
        missed: { $0 == 1 ? "Mais 1 notificação" : "Mais \($0) notificações" },
        missedNames: { "Enquanto você estava fora: \($0)" + ($1 > 0 ? " e mais \($1)" : "") },
        missedUnnamed: "Estas notificações chegaram enquanto você estava fora.")

    fileprivate static let simplifiedChinese = PopupWording(
        open: "打开", settings: "设置", reply: "回复", send: "发送",
        snooze: { "\($0)后提醒" }, hiddenText: "通知",
        missed: { "还有 \($0) 条通知" },
        missedNames: { "你离开期间：\($0)" + ($1 > 0 ? "，还有 \($1) 条" : "") },
        missedUnnamed: "这些通知在你离开期间送达。", separator: "、",
        units: (day: " 天", hour: " 小时", minute: " 分钟", second: " 秒"))

    fileprivate static let traditionalChinese = PopupWording(
        open: "開啟", settings: "設定", reply: "回覆", send: "傳送",
        snooze: { "\($0)後提醒" }, hiddenText: "通知",
        missed: { "還有 \($0) 則通知" },
        missedNames: { "你離開期間：\($0)" + ($1 > 0 ? "，還有 \($1) 則" : "") },
        missedUnnamed: "這些通知在你離開期間送達。", separator: "、",
        units: (day: " 天", hour: " 小時", minute: " 分鐘", second: " 秒"))
}
