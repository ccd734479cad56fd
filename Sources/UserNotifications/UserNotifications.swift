// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation

// The import also brings URLSession, whose module FoundationNetworking is separate on Linux. That
// module makes every program link libcurl, and a static link fails without libcurl's development
// files. So a static build, in which `canImport(XCTest)` is false, leaves the module out. A
// statically linked app that uses URLSession imports FoundationNetworking itself.
#if FoundationNetworking && canImport(XCTest)
@_exported public import FoundationNetworking
#endif
