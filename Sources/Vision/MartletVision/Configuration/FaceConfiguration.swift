//===--- FaceConfiguration.swift - what a face detector does --------------===//
//
// In JSON: {"faces":true,"landmarks":true,"classify":true}. The names are those of the tool's options
// in camel case. Only the networks that a request needs are run.
//
// Contract  Every front end makes its detectors from this value: defaults, ranges and rules stand
//           here, and nowhere else.
// Checked   Tests/MartletVisionTests/Configuration/ConfigurationTests.swift,
//           Tests/MartletVisionTests/Faces/FaceConfigurationTests.swift,
//           Tests/MartletTests/FaceFinderOptionsRulesTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletCodecs
internal import MartletImage

/// What to compute for which faces.
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

  /// The maximum number of faces returned; the most salient are kept.
  public var limit = Int.max
  /// Which faces get contours.
  public var contours = Selection.none
  /// Whether to return landmarks.
  public var landmarks = false
  /// Whether to return the probabilities of a smile and of open eyes.
  public var expressions = false
  /// Whether to return head angles.
  public var angles = true
  /// Whether accuracy counts more than speed. If true, the detector's input is larger and, if small
  /// faces are requested, parts of the image are searched, too. Angles come from the mesh instead
  /// of the key points, and a second pass refines the mesh.
  public var isAccurate: Bool
  /// Whether faces keep identifiers from frame to frame.
  public var tracking = false
  /// Whether the images are the frames of a stream, in order.
  public var isStream = false
  /// How the faces of a stream are tracked.
  package var stream = FaceStream.Options()
  /// How files are decoded.
  public var decoding = DecodingConfiguration()
  /// Whether to return all points of the mesh.
  public var mesh = false
  /// The minimum score of a face.
  public var minimumScore = FaceConfiguration.defaultMinimumScore
  /// The minimum width of a face as a fraction of the image's width; 0 disables the filter.
  public var minimumSize: Float = 0

  /// At this score, 1 in 80 photographs without people yields a false face; 1 in 30 if parts of the
  /// image are searched, too.
  public static let defaultMinimumScore: Float = 0.4

  /// All faces, with head angles only; `isAccurate` is `true` by default.
  public init(isAccurate: Bool) { self.isAccurate = isAccurate }

  /// The defaults.
  public init() { self.init(isAccurate: true) }

  /// The request after ML Kit's rule for contours: if only contours of the most salient face are
  /// requested, and speed counts more than accuracy, only that face is returned. It may be of any
  /// size and has no angles and no identifier.
  package var applyingMLKitRules: FaceConfiguration {
    guard contours == .mostProminent, !isAccurate, !landmarks, !expressions else { return self }
    var finderOptions = self
    finderOptions.limit = 1
    finderOptions.minimumSize = 0
    finderOptions.angles = false
    finderOptions.tracking = false
    return finderOptions
  }

  /// Whether only the contours of the most prominent face are detected.
  package var isOneFace: Bool { applyingMLKitRules != self }

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

extension FaceConfiguration: DecodingConfigured {
  package static let members: [ConfigurationMember<FaceConfiguration>] =
    [
      .flag("faces", { _ in false }) { _, _ in },
      .flag("stream", { $0.isStream }) { ($0.isStream, $0.tracking) = ($1, $1) },
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
      .count("detectEvery", { $0.stream.detectionInterval }) { $0.stream.detectionInterval = $1 },
      .count("keepLost", from: 0, { $0.stream.tracks.maximumLostFrames }) {
        $0.stream.tracks.maximumLostFrames = $1
      },
      .flag("smoothing", { $0.stream.tracks.isSmoothing }) { $0.stream.tracks.isSmoothing = $1 },
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
