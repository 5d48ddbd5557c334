//===--- CLibrary.swift - the C library under its name on each system -----===//
//
// Whoever imports this module has the C library's functions too.
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Musl
#endif
