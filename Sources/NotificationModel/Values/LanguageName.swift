/// The name of a language, as `LANG` and `LANGUAGE` have it: `sr_RS.UTF-8@latin`.
///
/// glibc names the script of a locale by a modifier or, for Chinese, by the country. Apple names
/// the script itself, as in `sr-Latn` and `zh-Hant`.
///
/// Source: glibc, localedata/SUPPORTED.
package struct LanguageName: Hashable, Sendable {
    /// The endings of a language's locale names in each script, the usual ending first.
    private static let scripts: [(language: String, script: String, endings: [String])] = [
        ("az", "Latn", [""]), ("be", "Cyrl", [""]), ("be", "Latn", ["@latin"]),
        ("bs", "Latn", [""]), ("ks", "Arab", [""]), ("ks", "Deva", ["@devanagari"]),
        ("sd", "Arab", [""]), ("sd", "Deva", ["@devanagari"]), ("sr", "Cyrl", [""]),
        ("sr", "Latn", ["@latin"]), ("tt", "Cyrl", [""]),
        ("tt", "Latn", ["@iqtelif"]), ("uz", "Cyrl", ["@cyrillic"]), ("uz", "Latn", [""]),
        ("zh", "Hans", ["_CN", "_SG", ""]), ("zh", "Hant", ["_TW", "_HK", "_MO"]),
    ]

    /// The language, and the script and the country if the name has them: `["sr", "RS"]`.
    package let parts: [String]
    /// The text after `@`, such as `latin`; empty if there is none.
    package let modifier: String

    /// Reads a name, and ignores its codeset.
    package init(_ name: String) {
        let halves = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        parts = (halves.first ?? "").prefix { $0 != "." }
            .split { $0 == "_" || $0 == "-" }.map(String.init)
        modifier = halves.count > 1 ? String(halves[1]) : ""
    }

    /// The language without its script and its country: `sr`.
    package var language: String { parts.first ?? "" }

    /// The script, such as `Latn`; nil for a language that `scripts` does not contain.
    package var script: String? {
        let rows = Self.scripts.filter { $0.language == language.lowercased() }
        if let named = rows.first(where: { parts.dropFirst().contains($0.script) }) {
            return named.script
        }
        let endings: [String] = ["@\(modifier)"] + parts.dropFirst().map { "_\($0)" } + [""]
        for ending in endings {
            if let row = rows.first(where: { $0.endings.contains(ending) }) { return row.script }
        }
        return nil
    }

    /// The user's languages, such as `de_DE.UTF-8`; the preferred language is first.
    ///
    /// `variable` returns the value of an environment variable.
    ///
    /// Source: gettext, "Locale Environment Variables".
    package static func preferred(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty }
        // gettext ignores LANGUAGE while the locale is unset, C or POSIX.
        guard let locale, locale != "C", locale != "POSIX" else { return [] }
        return (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init) + [locale]
    }

    /// The ending of the locale names of a language in a script; empty for the usual script.
    ///
    /// The ending is `@latin` for `sr` in `Latn`, and `_TW` for `zh` in `Hant`.
    package static func localeEnding(of language: String, in script: String) -> String {
        let name = script.lowercased()
        let row = scripts.first { $0.language == language && $0.script.lowercased() == name }
        return row?.endings.first ?? "@\(name)"
    }
}
