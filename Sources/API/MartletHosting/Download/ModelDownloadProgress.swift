//===--- ModelDownloadProgress.swift - progress of a download -------------===//

/// The progress of a download.
public struct ModelDownloadProgress: Sendable, Hashable {
  /// The number of bytes on disk, those of earlier attempts included.
  public let completedBytes: Int
  /// The size of the file in bytes; `nil` if unknown.
  public let totalBytes: Int?

  /// The downloaded share, 0...1; `nil` if the size is unknown.
  public var fractionCompleted: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(completedBytes) / Double($0)) : 0 }
  }
}
