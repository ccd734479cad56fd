// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation
