//===--- ModelDownloadNotifications.swift - end of a download -------------===//

public import Foundation

extension Notification.Name {
  /// A model was downloaded, or the local version is the latest. Posted on any thread, once for all
  /// requests of the same download.
  public static let mlkitModelDownloadDidSucceed = Notification.Name(
    "MLKModelDownloadDidSucceedNotification")
  /// A model could not be downloaded. Posted on any thread, once for all requests of the same
  /// download.
  public static let mlkitModelDownloadDidFail = Notification.Name(
    "MLKModelDownloadDidFailNotification")
}

/// The keys of the notifications' `userInfo`.
public enum ModelDownloadUserInfoKey: String, Sendable {
  /// The `RemoteModel`, in both notifications.
  case remoteModel = "MLKModelDownloadUserInfoKeyRemoteModel"
  /// The `NSError` of a failed download.
  case error = "MLKModelDownloadUserInfoKeyError"
}
