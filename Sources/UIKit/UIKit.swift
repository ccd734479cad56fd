// As on Apple's platforms, `import UIKit` alone brings Foundation and the macro `@Observable`.
@_exported public import Foundation
@_exported public import Observation
