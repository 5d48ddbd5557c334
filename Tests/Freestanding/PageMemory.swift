//===--- PageMemory.swift - memory for callers of a WebAssembly module ----===//

import MartletFreestanding

/// Allocates memory for the arguments of a call. Returns a null pointer if there is none left.
@_cdecl("takeMemory")
public func takePageMemory(_ count: Int32) -> UnsafeMutableRawPointer? { takeMemory(Int(count)) }

/// Frees memory from `takeMemory`.
@_cdecl("releaseMemory")
public func releasePageMemory(_ pointer: UnsafeMutableRawPointer?) { releaseMemory(pointer) }
