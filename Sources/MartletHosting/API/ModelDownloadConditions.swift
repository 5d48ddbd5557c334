//===--- ModelDownloadConditions.swift - conditions of a download ---------===//
//
// Checked   Tests/MartletHostingTests/RemoteModelTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// When a model may be downloaded.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether over a mobile network too. Means nothing on Linux, where networks are not told apart.
  public let allowsCellularAccess: Bool
  /// Whether while the app is in the background. Means nothing here: downloads go on for as long as the
  /// process runs, and are continued by the next that asks.
  public let allowsBackgroundDownloading: Bool

  /// Conditions.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Over any network, in the foreground.
  public override convenience init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// The conditions themselves, as nothing in them changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other conditions are the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDownloadConditions else { return false }
    return allowsCellularAccess == other.allowsCellularAccess
      && allowsBackgroundDownloading == other.allowsBackgroundDownloading
  }

  /// A number that equal conditions share.
  public override var hash: Int {
    (allowsCellularAccess ? 1 : 0) + (allowsBackgroundDownloading ? 2 : 0)
  }
}
