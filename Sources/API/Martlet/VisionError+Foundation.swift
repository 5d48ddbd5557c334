//===--- VisionError+Foundation.swift - errors that users read ------------===//
//
// Checked   Tests/MartletTests/ErrorCodeTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

extension VisionError: LocalizedError {
  /// The error in one sentence, as `description`.
  public var errorDescription: String? { description }
}
