/// A language in which Tocsin has its own texts.
///
/// A switch chooses each table of texts, so the compiler reports a language without texts.
package enum WordingLanguage: Hashable, Sendable, CaseIterable {
    case english
    case german
    case spanish
    case french
    case japanese
    case portuguese
    case simplifiedChinese
    case traditionalChinese

    /// The first of the user's languages in which Tocsin has texts; English if there is none.
    ///
    /// A language is written as in `LANG`, such as `pt_BR.UTF-8`, or as in `LANGUAGE`, such as
    /// `pt`.
    package static func first(of languages: [String]) -> WordingLanguage {
        languages.lazy.compactMap { WordingLanguage(LanguageName($0)) }.first ?? .english
    }

    private init?(_ name: LanguageName) {
        switch name.language.lowercased() {
        case "en": self = .english
        case "de": self = .german
        case "es": self = .spanish
        case "fr": self = .french
        case "ja": self = .japanese
        case "pt": self = .portuguese
        case "zh": self = name.script == "Hant" ? .traditionalChinese : .simplifiedChinese
        default: return nil
        }
    }
}
