//===--- VisionError+Foundation.swift - errors that users read ------------===//

public import Foundation
public import MartletVision

extension VisionError: LocalizedError {
  /// The error in one sentence, as `description`.
  public var errorDescription: String? { description }
}
