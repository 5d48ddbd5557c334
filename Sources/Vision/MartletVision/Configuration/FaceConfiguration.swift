//===--- FaceConfiguration.swift - what a face detector does --------------===//
//
// In JSON: {"faces":true,"landmarks":true,"classify":true}. The names are those of the tool's options
// in camel case. Only the networks that a request needs are run.
//
// Contract  Every front end makes its detectors from this value: defaults, ranges and rules stand
//           here only.
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletCodecs
internal import MartletImage

/// What a face detector does.
///
/// ```swift
/// let detector = try FaceDetector(.init(landmarks: true, contours: .all))
/// ```
public struct FaceConfiguration: Sendable, Hashable {
  /// A subset of the faces of an image.
  public enum Selection: Sendable, Hashable {
    /// No face.
    case none
    /// The most prominent face.
    case mostProminent
    /// All faces.
    case all
  }

  /// Whether the images are the frames of a stream, in order, in which faces keep identifiers.
  /// Default: `false`.
  public var isStream = false
  /// The largest number of faces, at least 1; the most salient ones are returned. Default: all.
  public var limit = Int.max
  /// Whether accuracy counts more than speed. If true, the detector's input is larger and, if small
  /// faces are requested, parts of the image are searched, too. Angles come from the mesh instead
  /// of the key points, and a second pass refines the mesh. Default: `true`.
  public var isAccurate = true
  /// Whether landmarks are returned. Default: `false`.
  public var landmarks = false
  /// The faces that have contours. Default: none.
  ///
  /// If only contours of the most prominent face are requested and speed counts more than accuracy,
  /// only that face is returned, of any size, without angles and identifier, as in ML Kit.
  public var contours = Selection.none
  /// Whether the probabilities of a smile and of open eyes are returned. Default: `false`.
  public var expressions = false
  /// Whether head angles are returned. Default: `true`.
  package var angles = true
  /// Whether all points of the mesh are returned. Default: `false`.
  public var mesh = false
  /// The lowest score of a face, 0...1. Default: ``defaultMinimumScore``.
  public var minimumScore = FaceConfiguration.defaultMinimumScore
  /// The smallest width of a face as a share of the image's width, 0...1. Default: 0, any. 0.1, ML
  /// Kit's default, drops faces more than 1.3 meters from a camera with a horizontal field of view of
  /// 60 degrees.
  public var minimumSize: Float = 0
  /// How the faces of a stream are tracked.
  package var stream = FaceStream.Options()
  /// How files are decoded.
  public var decoding = DecodingConfiguration()

  /// At this score, 1 in 160 photographs without people yields a false face; 1 in 38 if parts of the
  /// image are searched, too.
  public static let defaultMinimumScore: Float = 0.4

  /// The defaults.
  public init() {}

  /// The defaults, except for these properties.
  public init(
    isStream: Bool = false, isAccurate: Bool = true, landmarks: Bool = false,
    contours: Selection = .none,
    expressions: Bool = false
  ) {
    (self.isStream, self.isAccurate, self.landmarks) = (isStream, isAccurate, landmarks)
    (self.contours, self.expressions) = (contours, expressions)
  }

  /// Whether only the contours of the most prominent face are detected: ML Kit's rule for contours
  /// alone in fast mode.
  package var isOneFace: Bool {
    contours == .mostProminent && !isAccurate && !landmarks && !expressions
  }

  /// The request after ML Kit's rule for contours.
  package var applyingMLKitRules: FaceConfiguration {
    guard isOneFace else { return self }
    var configuration = self
    configuration.limit = 1
    configuration.minimumSize = 0
    configuration.angles = false
    return configuration
  }

  /// Whether faces have identifiers.
  package var tracking: Bool { isStream && !isOneFace }

  /// Whether parts of the image are searched, too: in accurate mode, if faces under 1/20 of the
  /// image's width are requested.
  package var findsSmallFaces: Bool { isAccurate && minimumSize < 0.05 }

  /// Whether any requested value comes from the mesh.
  package var needsMesh: Bool {
    landmarks || contours != .none || expressions || mesh || (angles && isAccurate)
  }

  /// Whether a face has contours.
  package func hasContours(isMostProminent: Bool) -> Bool {
    contours == .all || contours == .mostProminent && isMostProminent
  }

  /// The faces that are returned: wide enough, and at most `limit`. `faces` must be sorted by
  /// decreasing salience.
  package func filtered(_ faces: [DetectedFace], imageWidth: Int) -> [DetectedFace] {
    Array(wideEnough(faces, imageWidth: imageWidth).prefix(max(limit, 0)))
  }

  /// The faces that are wide enough to be returned.
  func wideEnough(_ faces: [DetectedFace], imageWidth: Int) -> [DetectedFace] {
    faces.filter { $0.frame.width >= minimumSize * Float(imageWidth) }
  }

  /// The requested results for faces sorted by decreasing salience.
  package func reported(of faces: [DetectedFace]) -> [FaceResult] {
    faces.enumerated().map { FaceResult($1, self, isMostProminent: $0 == 0) }
  }
}

// MARK: - Streams

extension FaceConfiguration {
  /// The number of frames of a stream from one detection to the next, at least 1, if meshes are
  /// tracked; also from one search for distant faces to the next.
  public var detectionInterval: Int {
    get { stream.detectionInterval }
    set { stream.detectionInterval = newValue }
  }

  /// The largest number of frames in which a face of a stream is not found and keeps its
  /// identifier.
  public var maximumLostFrames: Int {
    get { stream.tracks.maximumLostFrames }
    set { stream.tracks.maximumLostFrames = newValue }
  }

  /// Whether the points of a stream's faces are smoothed from frame to frame.
  public var isSmoothing: Bool {
    get { stream.tracks.isSmoothing }
    set { stream.tracks.isSmoothing = newValue }
  }
}

extension FaceConfiguration: DecodingConfigured {
  package static let members: [ConfigurationMember<FaceConfiguration>] =
    [
      .flag("faces", { _ in false }) { _, _ in },
      .flag("stream", { $0.isStream }) { $0.isStream = $1 },
      .choice("mode", of: ["fast", "accurate"], { $0.isAccurate ? "accurate" : "fast" }) {
        $0.isAccurate = $1 == "accurate"
      },
      .flag("landmarks", { $0.landmarks }) { $0.landmarks = $1 },
      .flag("contours", { $0.contours == .mostProminent }) {
        if $1 { $0.contours = .mostProminent }
      },
      .flag("allContours", { $0.contours == .all }) { if $1 { $0.contours = .all } },
      .flag("classify", { $0.expressions }) { $0.expressions = $1 },
      .flag("mesh", { $0.mesh }) { $0.mesh = $1 },
      .share("minFaceSize", { $0.minimumSize }) { $0.minimumSize = $1 },
      .share("minScore", { $0.minimumScore }) { $0.minimumScore = $1 },
      .count("maxFaces", { $0.limit }) { $0.limit = $1 },
      .count("detectEvery", { $0.detectionInterval }) { $0.detectionInterval = $1 },
      .count("keepLost", from: 0, { $0.maximumLostFrames }) { $0.maximumLostFrames = $1 },
      .flag("smoothing", { $0.isSmoothing }) { $0.isSmoothing = $1 },
    ] + decodingMembers

  /// Reads the configuration from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    self.init()
    try read(reader)
  }

  /// The fewest pixels of a side to which files are decoded; `nil` for all pixels.
  package var minimumSide: Int? {
    decoding.isFullResolution ? nil : ImageFile.detectionSide
  }
}
