// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation

// URLSession comes too, from a module that is separate on Linux. Importing that module makes every
// program link libcurl, and a static link fails without libcurl's development files. A static link
// cannot import XCTest, so this condition leaves the module out there. A statically linked app that
// uses URLSession imports FoundationNetworking itself.
#if FoundationNetworking && canImport(XCTest)
@_exported public import FoundationNetworking
#endif
