//===--- CLibrary.swift - the C library of each system --------------------===//
//
// Importing this module imports the C library's functions. No other module exports it, so that users' own
// functions named `open` or `y1` do not meet those of C.
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Android)
  @_exported import Android
#elseif canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Musl
#endif
