//===--- SystemError.swift - an error of the system by its number ---------===//
//
// Checked   Tests/MartletSystemTests/SystemErrorTests.swift
//===----------------------------------------------------------------------===//

/// Why the system has refused a call.
package struct SystemError: Error, Equatable, Sendable {
  /// One of `ENOENT`, `EACCES` and so on.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The error of the call that has just failed on this thread.
  package static var last: SystemError { SystemError(errno) }
}

extension SystemError: CustomStringConvertible {
  /// The C library's words: `No such file or directory`. They are copied at once, and are text for any number.
  package var description: String { unsafe String(cString: strerror(number)) }
}
