// SwiftPM needs one source file to build the module of the header.
