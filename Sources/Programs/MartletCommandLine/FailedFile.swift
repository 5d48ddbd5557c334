//===--- FailedFile.swift - errors with file paths ------------------------===//

/// An error and the path of its file.
package struct FailedFile: Error {
  package let path: FilePath
  package let reason: any Error

  package init(path: FilePath, reason: any Error) {
    self.path = path
    self.reason = reason
  }

  /// Returns the result of `body`; an error is thrown with the path of the file.
  package static func naming<Result>(
    _ path: FilePath, _ body: () throws -> Result
  ) throws(FailedFile) -> Result {
    do { return try body() } catch { throw FailedFile(path: path, reason: error) }
  }
}
