//===--- Version.swift - the version of the C library ---------------------===//

import MartletBase

/// The version of the library, for example `1.0.0`: a constant text that is not released.
@c(martlet_version)
public func version() -> UnsafePointer<CChar> {
  // A static string lives as long as the program and ends with a zero byte.
  unsafe UnsafeRawPointer(packageVersion.utf8Start).assumingMemoryBound(to: CChar.self)
}
