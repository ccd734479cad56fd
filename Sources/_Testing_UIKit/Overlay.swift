// Swift Testing asks for this module in every file that imports it and UIKit: its list of overlays
// is that of Apple's platforms, where the toolchain has the module. Without one such a file does
// not compile.
@_exported public import UIKit
