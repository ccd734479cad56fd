/// An element of the screen at which the user can point.
package struct Widget: Sendable, Equatable {
    /// The role of a widget, in AT-SPI's words.
    package enum Role: String, Sendable {
        case pushButton = "push button"
        case comboBox = "combo box"
        case label
        case menuItem = "menu item"
        case other
    }

    package let role: Role
    /// Its text, without markup and in one line.
    package let text: String
    package let center: ScreenPoint

    package init(role: Role, text: String, center: ScreenPoint) {
        self.role = role
        self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self.center = center
    }
}
