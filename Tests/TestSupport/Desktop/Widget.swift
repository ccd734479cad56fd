/// Something on the screen that a person could point at.
package struct Widget: Sendable, Equatable {
    /// What a widget is, in AT-SPI's words.
    package enum Role: String, Sendable {
        case pushButton = "push button"
        case comboBox = "combo box"
        case label
        case other
    }

    /// What it is.
    package let role: Role
    /// What it says, without markup and in one line.
    package let text: String
    /// Its centre.
    package let center: ScreenPoint

    package init(role: Role, text: String, center: ScreenPoint) {
        self.role = role
        self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self.center = center
    }
}
