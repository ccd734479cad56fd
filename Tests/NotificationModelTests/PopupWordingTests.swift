import NotificationModel
import Testing

/// The words that Tocsin adds to popups.
struct PopupWordingTests {
    @Test(arguments: WordingLanguage.allCases)
    func `every text of each language is one line and not empty`(language: WordingLanguage) {
        let words = language.words
        let units = words.units
        let texts = [
            words.open, words.settings, words.reply, words.send, words.snooze("5"),
            words.hiddenText, words.missed(1), words.missed(2), words.missedNames("A", 0),
            words.missedNames("A", 2), words.missedUnnamed, words.separator, units.day, units.hour,
            units.minute, units.second,
        ]
        for text in texts {
            #expect(!text.allSatisfy { $0.isWhitespace })
            #expect(!text.contains { $0.isNewline })
        }
    }

    @Test(arguments: WordingLanguage.allCases)
    func `the popup words of every language contain the given numbers and names`(
        language: WordingLanguage
    ) {
        let words = language.words
        #expect(words.snooze("5 min").contains("5 min"))
        #expect(words.missed(1).contains("1"))
        #expect(words.missed(42).contains("42"))
        let all = words.missedNames("Tea", 0)
        #expect(all.hasSuffix("Tea"))
        let some = words.missedNames("Tea", 42)
        #expect(some.hasPrefix(all) && some.contains("42"))
    }

    @Test func `no two languages have the same words`() {
        let languages = WordingLanguage.allCases.map { language in
            let words = language.words
            return [words.open, words.settings, words.reply, words.snooze(""), words.missed(2)]
        }
        #expect(Set(languages).count == WordingLanguage.allCases.count)
    }

    @Test(
        arguments: [
            (["de_AT.UTF-8@euro"], .german), (["xx_XX", "fr"], .french),
            (["en_GB.UTF-8", "de"], .english), (["C.UTF-8"], .english), ([], .english),
            ([""], .english), (["pt_BR.UTF-8"], .portuguese), (["ja_JP.UTF-8"], .japanese),
            (["ES"], .spanish), (["zh"], .simplifiedChinese), (["zh_SG"], .simplifiedChinese),
            (["zh_HK.UTF-8"], .traditionalChinese), (["zh-Hant"], .traditionalChinese),
        ] as [([String], WordingLanguage)])
    func `a popup uses the user's first language for which Tocsin has words`(
        names: [String], language: WordingLanguage
    ) {
        #expect(WordingLanguage.first(of: names) == language)
    }
}
