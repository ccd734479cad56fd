// As on Apple's platforms, `import UserNotifications` alone brings Foundation.
@_exported public import Foundation

// And URLSession, which Linux has in a separate module. Importing that module makes every program
// link libcurl, and a static link fails without libcurl's development files. A static link cannot
// import XCTest, so this skips the module there. Such apps import FoundationNetworking for
// URLSession.
#if FoundationNetworking && canImport(XCTest)
@_exported public import FoundationNetworking
#endif
