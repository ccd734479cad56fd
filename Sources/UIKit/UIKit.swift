// As on Apple's platforms, `import UIKit` alone brings Foundation.
@_exported public import Foundation
