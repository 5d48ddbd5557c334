//===--- ModelHostingError+Codes.swift - error codes and NSError ----------===//
//
// Contract  HTTP statuses have the codes of Firebase's client. As `NSError`, an error has the
//           domain `ModelHostingError.errorDomain`, ML Kit's code and the description.
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletMLKit

extension ModelHostingError {
  /// ML Kit's code.
  public var code: MLKitErrorCode {
    switch self {
    case .emptyModelName, .address, .insecureAddress, .status(400, _): .invalidArgument
    case .status(401, _), .status(403, _): .permissionDenied
    case .status(404, _), .notDownloaded, .noPreviousVersion: .notFound
    case .status(429, _), .tooLarge: .resourceExhausted
    case .status, .missingETag, .manifest, .tooManyRedirects, .range: .internal
    case .hashMismatch, .digest, .size, .damaged: .modelHashMismatch
    case .tooSlow, .timedOut: .deadlineExceeded
    case .notConfigured, .connection, .proxiedLoopback: .failedPrecondition
    case .runtime, .notAccepted: .modelIncompatible
    case .notEnoughSpace: .notEnoughSpace
    case .file: .internal
    case .cancelled: .cancelled
    }
  }
}

extension ModelHostingError: LocalizedError, CustomNSError {
  /// The domain as `NSError`.
  public static let errorDomain = "martlet.hosting"

  /// The error in one sentence, as `description`.
  public var errorDescription: String? { description }

  /// ML Kit's code.
  public var errorCode: Int { code.rawValue }

  /// The description, and the model's own error as `NSUnderlyingErrorKey` if there is one.
  public var errorUserInfo: [String: Any] {
    var information: [String: Any] = [NSLocalizedDescriptionKey: description]
    if case .notAccepted(let error) = self { information[NSUnderlyingErrorKey] = error as NSError }
    return information
  }
}
