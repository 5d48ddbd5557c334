//===--- SystemError.swift - errors of system calls -----------------------===//

import MartletCLibrary

/// An error of a system call.
package struct SystemError: Error, Equatable, Sendable {
  /// The value of `errno`, such as `ENOENT` or `EACCES`.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The error of the last system call on this thread.
  package static var last: SystemError { SystemError(errno) }
}

extension SystemError: CustomStringConvertible {
  /// The C library's message: `No such file or directory`. It is copied immediately, and exists for
  /// any number.
  package var description: String { unsafe String(cString: strerror(number)) }
}
