//===--- CLibrary.swift - the C library under its name on each system -----===//
//
// Whoever imports this module has the C library's functions too.
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif
