//===--- PageMemory.swift - memory for who calls a WebAssembly module -----===//

import MartletFreestanding

/// Memory for what a call takes; 0 if there is none left.
@_cdecl("takeMemory")
public func takePageMemory(_ count: Int32) -> UnsafeMutableRawPointer? { takeMemory(Int(count)) }

/// Takes back memory of `takeMemory`.
@_cdecl("releaseMemory")
public func releasePageMemory(_ place: UnsafeMutableRawPointer?) { releaseMemory(place) }
