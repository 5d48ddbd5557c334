//===--- MLKitErrorCode.swift - ML Kit's error codes ----------------------===//
//
// ML Kit for iOS publishes no codes. ML Kit for Android does: gRPC's canonical codes, and its own
// for models.
//===----------------------------------------------------------------------===//

/// ML Kit's error codes, as far as they are reported.
public enum MLKitErrorCode: Int, Sendable, CaseIterable {
  case cancelled = 1
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case `internal` = 13
  case dataLoss = 15
  /// The model cannot be run, or not for this task.
  case modelIncompatible = 100
  case notEnoughSpace = 101
  case modelHashMismatch = 102
}
