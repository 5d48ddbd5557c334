//===--- CLibrary.swift - the C library of each system --------------------===//
//
// Importing this module also imports the C library's functions.
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Musl
#endif
