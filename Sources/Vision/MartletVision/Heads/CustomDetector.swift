//===--- CustomDetector.swift - a detector that people bring --------------===//
//
// File ▶ recognized head ▶ prepared network; then image ▶ input ▶ outputs ▶ boxes ▶ objects.
//
// Contract  The outputs are checked first: a model that is no detector is refused as such, whatever
//           its input lacks. Can be used from any number of tasks at once, unless its lock is `none`.
// Cost      One run of the network for each image. If shapes leave several heads, preparing it runs
//           it once, also to check a head that is given.
//===----------------------------------------------------------------------===//

/// A detector that replaces the built-in localizer.
final class CustomDetector: Sendable {
  private let model: ImageModel
  let reading: HeadReading
  private let names: [String]
  /// The names of the classes by index; empty if they have none.
  var classNames: [String] { firstName < 0 ? [""] + names : Array(names.dropFirst(firstName)) }
  /// What is added to the index of a class for its name: 1 if the names begin with the background.
  private let firstName: Int
  private let suppression: BoxSuppression
  /// The lowest score unless options set one.
  let threshold: Float

  /// The detector in a TensorFlow Lite file.
  ///
  /// - Parameters:
  ///   - configuration: What replaces the recognized head and the values of its family.
  init(
    _ file: ModelFile, _ configuration: ObjectConfiguration, options: Interpreter.Options,
    lock: Lock
  ) throws(VisionError) {
    let parsed: Model
    do throws(ModelError) { parsed = try Model(file.bytes) } catch { throw .model(error) }
    let evidence = try HeadEvidence(parsed, labels: file.labels, anchors: configuration.anchors)
    var readings = try evidence.readings(as: configuration.detectorHead)
    if configuration.isBGR {
      for index in readings.indices { readings[index].input.isBGR = true }
    }
    func prepare(_ reading: HeadReading) throws(VisionError) -> ImageModel {
      try ImageModel(
        parsed, normalization: file.normalization, detector: (evidence, reading.input),
        options: options, lock: lock)
    }
    let first = try prepare(readings[0])
    let reading = try readings.count == 1 ? readings[0] : first.decide(readings)
    if configuration.detectorHead != nil {
      try first.check(reading, among: (try? evidence.readings()) ?? [])
    }
    self.reading = reading
    model = reading.input == readings[0].input ? first : try prepare(reading)
    threshold = evidence.statedThreshold ?? reading.threshold
    suppression =
      configuration.overlap.map { reading.suppression.replacing(overlap: $0) }
      ?? reading.suppression
    (names, firstName) = try evidence.names(for: reading)
  }

  /// Frees the arenas that no run uses.
  func trim() { model.trim() }

  /// At most `limit` objects of an image from the score `least` on, by decreasing score.
  func objects(
    in image: RGBImage, least: Float, limit: Int
  ) throws(VisionError) -> [DetectedObject] {
    let (input, placement) = try model.placedInput(of: image)
    let candidates = try model.run(on: input) { outputs throws(VisionError) in
      try reading.candidates(outputs, model.outputs, least)
    }
    return candidates.applying(suppression, limit: limit).compactMap { candidate in
      let frame =
        placement.map { $0.pixels(of: candidate.box, in: input.size, image: image.size) }
        ?? candidate.box.pixels(of: image.size)
      guard !frame.isEmpty else { return nil }
      let place = candidate.index + firstName
      let label = ObjectLabel(
        text: names.indices.contains(place) ? names[place] : "", index: candidate.index,
        confidence: candidate.score)
      return DetectedObject(frame: frame, score: candidate.score, labels: [label])
    }
  }
}

extension ImageModel {
  /// Those of the readings that fit the values of a run on a gray image.
  private func plausible(_ readings: [HeadReading]) throws(VisionError) -> [HeadReading] {
    let gray: RGBImage
    do throws(ImageError) {
      gray = try RGBImage(
        width: inputSize.width, height: inputSize.height,
        filledWith: .init(red: 128, green: 128, blue: 128))
    } catch { throw .image(error) }
    return try run(on: gray) { outputs throws(VisionError) in
      readings.filter { $0.isPlausible(outputs) }
    }
  }

  /// Throws if the values of a run fit others of the readings, but not the given one.
  fileprivate func check(
    _ given: HeadReading, among readings: [HeadReading]
  ) throws(VisionError) {
    let others = readings.filter { $0.head != given.head }
    guard !others.isEmpty else { return }
    let fitting = try plausible(others + [given]).map { $0.head }
    guard fitting.contains(given.head) || fitting.isEmpty else {
      throw .unsuitable(.otherHead(given.head, fitting: fitting))
    }
  }

  /// The only one of the readings that fits the values of a run on a gray image.
  ///
  /// - Throws: `VisionError.unsuitable` if none or several fit.
  fileprivate func decide(_ readings: [HeadReading]) throws(VisionError) -> HeadReading {
    let fitting = try plausible(readings)
    guard fitting.count == 1 else {
      throw .unsuitable(.detectorHeads((fitting.isEmpty ? readings : fitting).map { $0.head }))
    }
    return fitting[0]
  }
}

extension HeadEvidence {
  /// The threshold in the metadata of an output.
  fileprivate var statedThreshold: Float? {
    guard postProcess == nil else { return nil }
    return metadata?.subgraphs.first?.outputs.compactMap { $0.scoreThreshold }.first
  }

  /// The names of a reading's classes, and what is added to an index for its name.
  fileprivate func names(
    for reading: HeadReading
  ) throws(VisionError) -> (names: [String], first: Int) {
    guard let names else {
      switch reading.head {
      case .blazeFace: return (["face"], 0)
      case .postProcess, .endToEnd, .mediaPipe, .fomo: return ([], 0)
      default: return (reading.classCount == COCONames.all.count ? COCONames.all : [], 0)
      }
    }
    switch reading.head {
    case .postProcess:
      // Lists of the TensorFlow Object Detection API begin with the background, its classes not.
      if let count = reading.classCount, names.count < count {
        throw .unsuitable(
          .labelCount(tensor: outputs.first?.name ?? "", found: names.count, classes: count))
      }
      return (names, names.first == "???" || names.first == "background" ? 1 : 0)
    case .fomo, .mediaPipe:
      if let count = reading.classCount, names.count == count - 1 { return (names, -1) }
    default: break
    }
    if let count = reading.classCount, names.count != count {
      throw .unsuitable(
        .labelCount(tensor: outputs.first?.name ?? "", found: names.count, classes: count))
    }
    return (names, 0)
  }
}

extension BoxSuppression {
  /// Cells have no overlap.
  fileprivate func replacing(overlap: Float) -> BoxSuppression {
    switch self {
    case .none, .ofClass: .ofClass(overlap)
    case .ofAll: .ofAll(overlap)
    case .touching: .touching
    }
  }
}
