//===--- MLKitErrorCode.swift - ML Kit's error codes ----------------------===//
//
// ML Kit for iOS publishes no codes. ML Kit for Android does: gRPC's canonical codes, and its own
// for models.
//===----------------------------------------------------------------------===//

/// ML Kit's error codes.
public enum MLKitErrorCode: Int, Sendable, CaseIterable {
  case cancelled = 1
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case `internal` = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16
  case networkIssue = 17
  /// The model cannot be run, or not for this task.
  case modelIncompatible = 100
  case notEnoughSpace = 101
  case modelHashMismatch = 102
}
