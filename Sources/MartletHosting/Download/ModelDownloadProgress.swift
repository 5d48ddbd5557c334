//===--- ModelDownloadProgress.swift - progress of a download -------------===//
//
// Checked   Tests/MartletHostingTests/ModelManagerTests.swift
//===----------------------------------------------------------------------===//

/// How far a download has come.
public struct ModelDownloadProgress: Sendable, Hashable {
  /// How many bytes are there, those of an earlier attempt included.
  public let completedBytes: Int
  /// How many there will be, if it is known.
  public let totalBytes: Int?

  /// The share that is there, 0...1, if it is known.
  public var fractionCompleted: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(completedBytes) / Double($0)) : 0 }
  }
}
