// A file that imports both Testing and UIKit compiles only with this module: Swift Testing declares
// the overlay on every platform, but the toolchain contains it only on Apple's platforms.
@_exported public import UIKit
