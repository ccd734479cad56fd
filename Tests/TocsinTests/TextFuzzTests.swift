import DesktopBus
import Foundation
import NotificationModel
import NotificationSchedule
import Reactor
import TestSupport
import Testing

@testable import tocsin

/// Texts from outside that the tool reads: calendars, hints, commands for clicks.
@Suite(.timeLimit(.minutes(10))) struct TextFuzzTests {
    private static let environment = ToolEnvironment(
        variables: ["TZ": "UTC-1"], directory: "/tmp",
        now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor.hosted("unused"))

    private static let calendars = [
        """
        BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:S\\, t\r
        DTSTART;TZID=Europe/Berlin:20261124T100000\r\nDTEND:20261124T110000Z\r
        RRULE:FREQ=MONTHLY;BYDAY=-1FR,2MO;COUNT=12;INTERVAL=2\r\nEXDATE:20261224T100000\r
        BEGIN:VALARM\r\nTRIGGER;RELATED=END:-P1DT2H3M4S\r\nEND:VALARM\r\nEND:VEVENT\r
        END:VCALENDAR\r\n
        """,
        """
        BEGIN:VTODO\nUID:b\nSUMMARY:fol\n ded\nDUE;VALUE=DATE:20261231\nDURATION:P2W\n\
        RDATE:20261124T100000,20270101T000000Z\nRECURRENCE-ID:20261124T100000\n\
        RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20400101T000000Z\n\
        BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:20261124T100000Z\nEND:VALARM\nEND:VTODO\n
        """,
    ]
    private static let words = [
        "BEGIN:VEVENT\r\n", "END:VEVENT\r\n", "RRULE:", "FREQ=DAILY;", "BYDAY=", "-5SU", "UNTIL=",
        "COUNT=", "INTERVAL=", "TRIGGER:", "DTSTART:", "P1D", "PT", "W", "\r\n ", "TZID=",
        "99991231T235959Z", "00000101T000000", "20260230",
    ]

    @Test func `no calendar stops the program or becomes too many requests`() throws {
        let run = FuzzRun("icalendar", rounds: 3_000)
        var count = 0
        try run.mutants(of: Self.calendars, words: Self.words) { text in
            let (items, _) = ICalendarImport(environment: Self.environment).items(of: text)
            guard items.count <= 40 * Limits.calendarDates.most else {
                throw HarnessError("\(items.count) requests")
            }
            count += items.count
            for item in items {
                // An imported item must be a plain reminder in the future.
                guard item.app == nil, item.request.content.actions.isEmpty, item.commands == nil,
                    item.source == ICalendarImport.file, item.request.content.attachments.isEmpty,
                    Self.isToCome(item.request.trigger)
                else { throw HarnessError("\(item)") }
            }
            _ = ICalendarImport.isCalendar(text)
            _ = ICalendarImport.isStart(Array(text.utf8.prefix(200)))
        }
        #expect(count > 0, "some calendars must be read")
    }

    private static func isToCome(_ trigger: NotificationTrigger?) -> Bool {
        switch trigger {
        case .at(let date): date > environment.now
        case .rule: true
        default: false
        }
    }

    @Test func `a text is read back from a calendar line as far as a calendar can hold it`() throws
    {
        try FuzzRun("icalendar-text", rounds: 2_000).mutants(
            of: ["a;b,c\\\nd", "日本 👩‍👩‍👧"], words: ["\\n", "\\;", "\r\n "]
        ) { text in
            let line = "X:" + ICalendarEscaping.text(text)
            let lines = ICalendarLine.unfolded(ICalendarEscaping.folded(line))
            guard lines.count == 1, let read = ICalendarLine(lines[0])?.text,
                Array(read.utf8) == Array(Self.readable(text).utf8)
            else { throw HarnessError("\(text.debugDescription) became \(lines)") }
        }
    }

    @Test func `no GVariant text stops the program`() throws {
        var count = 0
        try FuzzRun("gvariant", rounds: 5_000).mutants(
            of: [
                "[('a', <1>), ('b', <[byte 0x7f, 0x00]>)]", "{'k': <uint64 5>, \"l\": <-1.5e3>}",
                "@a{sv} {}", "('it\\'s', int16 -3, true, <<'x'>>)", "@as []",
            ], words: ["byte ", "uint64 ", "boolean ", "string ", "@a", "<", "((((", "[[[[", "077"]
        ) { text in
            guard let value = GVariantParser.value(of: text) else { return }
            guard !value.signature.rawValue.isEmpty else { throw HarnessError("no signature") }
            // notify-send treats an empty string as no hint.
            let hint = try NotifySendHint.parse("variant:name:" + text)
            guard hint.map({ "\($0.value)" == "\(value)" }) ?? (value == .string("")) else {
                throw HarnessError("\(value) became \(hint as Any)")
            }
            count += 1
        }
        #expect(count > 0, "some texts must be read")
    }

    /// Returns a text as a calendar can hold it: no control characters, and one kind of line break.
    private static func readable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if "\n\r\u{0B}\u{0C}\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalar) {
                if scalar != "\n" || previous != "\r" { result.append("\n") }
            } else if scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F {
                result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }

    @Test func `no hint, button or list of commands stops the program`() throws {
        try FuzzRun("options", rounds: 3_000).mutants(
            of: ["int:value:5", "byte:urgency:2", "boolean:transient:true", "id=Text", "=x"],
            words: ["variant:", "double:", "string:"]
        ) { text in
            _ = try? HintOption.parse(text)
            _ = try? ActionOption.parse([text, text])
            _ = try? NotifySendHint.parse(text)
        }
        try FuzzRun("commands", rounds: 2_000).mutants(
            of: [
                #"{"app":"a.b","id":"x","created":1,"commands":{"click":["/bin/sh","-c","echo 1"],"#
                    + #""actions":{"yes":["xdg-open","/a"]},"directory":"/tmp"}}"# + "\n"
            ]
        ) { text in _ = CommandTable(text: text) }
    }
}
