//===--- ModelDownloadConditions.swift - conditions of a download ---------===//

public import Foundation

/// The conditions under which a model may be downloaded.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether cellular networks are allowed. Ignored on Linux, which does not distinguish networks.
  public let allowsCellularAccess: Bool
  /// Whether downloads run in the background. Ignored: a download runs as long as the process, and
  /// the next request continues it.
  public let allowsBackgroundDownloading: Bool

  /// Conditions with these values.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Conditions that allow any network, without background downloads.
  public override convenience init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// The conditions themselves, which are immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other conditions are the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ModelDownloadConditions else { return false }
    return allowsCellularAccess == other.allowsCellularAccess
      && allowsBackgroundDownloading == other.allowsBackgroundDownloading
  }

  /// A hash value, which equal conditions share.
  public override var hash: Int {
    (allowsCellularAccess ? 1 : 0) + (allowsBackgroundDownloading ? 2 : 0)
  }
}
