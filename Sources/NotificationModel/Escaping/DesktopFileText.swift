/// The text of a desktop file as groups of lines; a change of one key leaves all other lines
/// unchanged.
///
/// Source: Desktop Entry Specification 1.5, "Basic format of the file".
package struct DesktopFileText: Hashable, Sendable {
    /// The name of a group and the lines after its header.
    struct Group: Hashable, Sendable {
        var name: String
        var lines: [String]
    }

    static let main = "Desktop Entry"
    private var preamble: [String] = []
    var groups: [Group] = []

    package init(_ text: String) {
        var lines = Self.parts(of: text, at: "\n")
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            if let name = Self.groupName(line) {
                groups.append(Group(name: name, lines: []))
            } else if groups.isEmpty {
                preamble.append(line)
            } else {
                groups[groups.count - 1].lines.append(line)
            }
        }
    }

    /// The text; each line ends in a line feed.
    package var text: String {
        let lines = preamble + groups.flatMap { ["[\($0.name)]"] + $0.lines }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The text of a key of the main group; nil if the key is missing.
    package func value(_ key: String) -> String? {
        rawValue(key).map(DesktopFileEscaping.text(ofValue:))
    }

    /// The value with its escapes, as the main group contains it.
    func rawValue(_ key: String) -> String? {
        groups.first { $0.name == Self.main }?.rawValue(key)
    }

    /// Sets a key of the main group; nil removes the key.
    package mutating func setValue(_ value: String?, of key: String) {
        setRawValue(value.map(DesktopFileEscaping.value), of: key)
    }

    mutating func setRawValue(_ value: String?, of key: String) {
        guard let index = groups.firstIndex(where: { $0.name == Self.main }) else { return }
        let first = groups[index].lines.firstIndex { Group.entry($0)?.key == key }
        // Remove all lines of the key: if a key occurs twice, readers take the last value.
        groups[index].lines.removeAll { Group.entry($0)?.key == key }
        guard let value else { return }
        groups[index].lines.insert("\(key)=\(value)", at: first ?? groups[index].endOfKeys)
    }

    /// Splits a text at scalars, because a separator can be part of a `Character`, such as CR LF.
    private static func parts(of text: String, at separator: Unicode.Scalar) -> [String] {
        var parts = [String.UnicodeScalarView()]
        for scalar in text.unicodeScalars {
            if scalar == separator {
                parts.append(String.UnicodeScalarView())
            } else {
                parts[parts.count - 1].append(scalar)
            }
        }
        return parts.map { String($0) }
    }

    private static func groupName(_ line: String) -> String? {
        let bytes = Group.trimmed(Substring(line)).utf8
        guard bytes.count > 1, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]")
        else { return nil }
        return String(Substring(bytes.dropFirst().dropLast()))
    }
}

extension DesktopFileText.Group {
    /// The index after the last key: later blank lines and comments belong to the next group.
    var endOfKeys: Int { (lines.lastIndex { Self.entry($0) != nil } ?? -1) + 1 }

    /// The value with its escapes; nil if the key is missing.
    func rawValue(_ key: String) -> String? {
        lines.lazy.compactMap(Self.entry).last { $0.key == key }?.value
    }

    /// The text of a key; nil if the key is missing.
    func value(_ key: String) -> String? {
        rawValue(key).map(DesktopFileEscaping.text(ofValue:))
    }

    /// The key and the value of a line; nil for a comment or a line without `=`.
    static func entry(_ line: String) -> (key: String, value: String)? {
        let line = trimmed(Substring(line))
        guard line.utf8.first != UInt8(ascii: "#"),
            let sign = line.utf8.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        return (
            String(trimmed(line[..<sign])),
            String(trimmed(Substring(line.utf8[sign...].dropFirst())))
        )
    }

    static func trimmed(_ line: Substring) -> Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var line = line.utf8.drop(while: isSpace)
        while line.last.map(isSpace) == true { line.removeLast() }
        return Substring(line)
    }
}

// MARK: - Quick actions

extension DesktopFileText {
    /// The environment variable by which a desktop file's `Exec` names the chosen action.
    package static let actionVariable = "TOCSIN_QUICK_ACTION"
    private static let groupPrefix = "Desktop Action "
    /// Marks a group that Tocsin wrote; a group of the app's own package has no such key.
    private static let kindKey = "X-Tocsin-QuickAction"

    /// Tocsin's actions in this file, in the order of the menu.
    package var quickActions: [QuickAction] {
        groups.compactMap(Self.quickAction).sorted { $0.kind == .fixed && $1.kind == .dynamic }
    }

    /// Replaces Tocsin's actions of one kind.
    ///
    /// Only the key `Actions` and the groups of Tocsin's actions change.
    ///
    /// The `Exec` key of each action contains the command of the main group.
    package mutating func replaceQuickActions(
        _ kind: QuickAction.Kind, with actions: [QuickAction], app: ApplicationID
    ) {
        let others = quickActions.filter { $0.kind != kind }
        let former = Set(quickActions.map(\.name))
        removeQuickActions()
        let foreign = listedActions.filter { !former.contains($0) }
        let all = kind == .fixed ? actions + others : others + actions
        var taken = Set(foreign)
        let named = all.map { action in
            var action = action
            var number = 1
            repeat {
                action.name = ActionNameEscaping.name(action.type, number: number)
                number += 1
            } while !taken.insert(action.name).inserted
            return action
        }
        let names = foreign + named.map(\.name)
        setRawValue(names.isEmpty ? nil : names.map { $0 + ";" }.joined(), of: "Actions")
        groups += named.map { group($0, app) }
    }

    /// Removes the groups of Tocsin's actions; the blank lines and comments behind them stay.
    private mutating func removeQuickActions() {
        let all = groups
        groups = []
        for group in all {
            guard Self.quickAction(group) != nil else {
                groups.append(group)
                continue
            }
            let others = group.lines.dropFirst(group.endOfKeys)
            if groups.isEmpty {
                preamble += others
            } else {
                groups[groups.count - 1].lines += others
            }
        }
    }

    private var listedActions: [String] {
        Self.parts(of: rawValue("Actions") ?? "", at: ";")
            .map { String(Group.trimmed(Substring($0))) }.filter { !$0.isEmpty }
    }

    private func group(_ action: QuickAction, _ app: ApplicationID) -> Group {
        let value = DesktopFileEscaping.value
        var lines = ["Name=\(value(action.title))"]
        for (language, title) in action.titles.sorted(by: { $0.key < $1.key }) {
            lines.append("Name[\(language)]=\(value(title))")
        }
        if !action.icon.isEmpty { lines.append("Icon=\(value(action.icon))") }
        if let exec = rawValue("Exec") {
            let own = exec.contains("TOCSIN_APP_ID=") ? [] : ["TOCSIN_APP_ID=\(app.rawValue)"]
            let words = own + ["\(Self.actionVariable)=\(action.name)"]
            let prefix = words.map(DesktopFileEscaping.execArgument).joined(separator: " ")
            lines.append("Exec=env \(value(prefix)) \(exec)")
        }
        lines.append("\(Self.kindKey)=\(action.kind.rawValue)")
        if !action.subtitle.isEmpty {
            lines.append("X-Tocsin-Subtitle=\(value(action.subtitle))")
        }
        if !action.userInfo.isEmpty {
            let text = RecordJSON.text(.tree(action.userInfo), isFree: true)
            lines.append("X-Tocsin-UserInfo=\(value(text))")
        }
        return Group(name: Self.groupPrefix + action.name, lines: lines)
    }

    private static func quickAction(_ group: Group) -> QuickAction? {
        let bytes = Array(group.name.utf8)
        let prefix = Array(groupPrefix.utf8)
        let name = String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
        guard bytes.starts(with: prefix), let type = ActionNameEscaping.type(name),
            let kind = group.value(kindKey).flatMap(QuickAction.Kind.init)
        else { return nil }
        var action = QuickAction(kind: kind, type: type, title: group.value("Name") ?? "")
        action.name = name
        for line in group.lines {
            guard let (key, value) = Group.entry(line), let language = language(ofKey: key) else {
                continue
            }
            action.titles[language] = DesktopFileEscaping.text(ofValue: value)
        }
        action.icon = group.value("Icon") ?? ""
        action.subtitle = group.value("X-Tocsin-Subtitle") ?? ""
        action.userInfo = group.value("X-Tocsin-UserInfo").flatMap(userInfo) ?? [:]
        return action
    }

    /// The language of `Name[pt_BR]`; nil for every other key.
    private static func language(ofKey key: String) -> String? {
        let bytes = Array(key.utf8)
        let prefix = Array("Name[".utf8)
        guard bytes.starts(with: prefix), bytes.last == UInt8(ascii: "]") else { return nil }
        return String(decoding: bytes.dropFirst(prefix.count).dropLast(), as: UTF8.self)
    }

    /// Reads an action's user info; nil if the text is unusable, for example after a user's edit.
    private static func userInfo(_ text: String) -> [String: PropertyListValue]? {
        do {
            let value = try RecordJSON.value(of: Array(text.utf8)).propertyList("userInfo")
            if case .dictionary(let values) = value { return values }
        } catch {}
        return nil
    }
}
