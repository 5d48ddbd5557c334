//===--- VisionError+Kind.swift - what a caller decides on ----------------===//

internal import MartletCodecs

extension VisionError {
  /// What a caller decides on; the error itself is the precise reason.
  ///
  /// ```swift
  /// do { show(try await detector.objects(in: image)) } catch where error.kind == .timedOut {
  ///   print("too slow: \(error)")
  /// }
  /// ```
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    /// The image is damaged or empty.
    case invalidImage
    /// The image is of a format, kind or pixel format that is not supported.
    case unsupportedImage
    /// The model, its metadata, its manifest or its list of labels is damaged.
    case invalidModel
    /// The model needs an operator that is missing, or does not suit the task.
    case unsupportedModel
    /// A file, an image or a model needs more memory or work than permitted.
    case limitExceeded
    /// The detector has no room for another image: wait for results and try again.
    case busy
    /// The task was canceled.
    case cancelled
    /// The time limit was exceeded.
    case timedOut
    /// A file is missing or cannot be read.
    case inputOutput
    /// The program made the call where it is not permitted, or with values out of range.
    case invalidCall
  }

  /// What a caller decides on.
  public var kind: Kind {
    switch self {
    case .file(_, .tooLarge): .limitExceeded
    case .file, .notDownloaded: .inputOutput
    case .manifest, .labels, .model, .metadata: .invalidModel
    case .inference(let error): error.kind
    case .unsuitable: .unsupportedModel
    case .imageFile(let error): error.kind
    case .noPixels: .invalidImage
    case .pixelFormat: .unsupportedImage
    case .image, .calledOnMainThread, .tooManyBoxes, .notIncluded: .invalidCall
    case .cancelled: .cancelled
    case .frameDropped, .tooManyImages: .busy
    }
  }
}

extension InferenceError {
  fileprivate var kind: VisionError.Kind {
    switch innermost {
    case .tooLarge, .nesting, .nestedNodes, .loopLimit, .tooMuchWork: .limitExceeded
    case .deadlineExceeded: .timedOut
    case .cancelled: .cancelled
    case .unsupportedOperator, .unsupportedType: .unsupportedModel
    default: .invalidModel
    }
  }
}

extension ImageFileError {
  fileprivate var kind: VisionError.Kind {
    switch self {
    case .interrupted(let interruption): VisionError.Kind(interruption)
    case .jpeg(.stopped(let stop)), .png(.stopped(let stop)), .webp(.stopped(let stop)),
      .bmp(.stopped(let stop)), .pnm(.stopped(let stop)), .gif(.stopped(let stop)),
      .tiff(.stopped(let stop)):
      switch stop {
      case .interrupted(let interruption): VisionError.Kind(interruption)
      case .tooMuchWork: .limitExceeded
      }
    case .memory, .jpeg(.memory), .png(.memory), .webp(.memory), .bmp(.memory), .pnm(.memory),
      .gif(.memory), .tiff(.memory), .jpeg(.tooManyPixels), .jpeg(.sideTooLong),
      .jpeg(.tooManyScans), .image, .gif(.image):
      .limitExceeded
    case .unknownFormat(firstBytes: []): .invalidImage
    case .unknownFormat, .jpeg(.unsupportedProcess), .jpeg(.unsupportedPrecision),
      .jpeg(.unsupportedComponentCount), .png(.unknownMethod), .png(.appleVariant),
      .bmp(.unknownHeader), .bmp(.unsupportedFormat), .tiff(.unsupported):
      .unsupportedImage
    case .jpeg, .png, .webp, .bmp, .pnm, .gif, .tiff: .invalidImage
    }
  }
}

extension VisionError.Kind {
  fileprivate init(_ interruption: Interruption) {
    self =
      switch interruption {
      case .deadlineExceeded: .timedOut
      case .cancelled: .cancelled
      }
  }
}
