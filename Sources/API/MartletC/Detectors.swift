//===--- Detectors.swift - detectors for C --------------------------------===//
//
//     int32_t detector;
//     char *text;
//     martlet_detector_make("{\"multiple\":true,\"classify\":true}", NULL, 0, NULL, 0, &detector, &text);
//     martlet_detector_detect_file(detector, "a.jpg", bytes, count, &text);  // the tool's line of JSON
//     martlet_text_release(text);
//     martlet_detector_release(detector);
//
// Contract  Calls with one detector wait for each other; several detectors run in parallel, each on
//           the calling thread. Results equal the tool's, byte for byte.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
internal import MartletVision

private let detectors = Handles<Shared<LineDetector>>()

/// Creates a detector.
///
/// `options` is a JSON object with the options of `martlet detect` and `faces` in camel case, for
/// example `{"multiple":true,"classify":true}` or `{"faces":true,"landmarks":true}`; with
/// `"stream":true` images are the frames of a video. `"timeout":5` limits the seconds for decoding
/// each image and running networks on it, and for preparing the networks. `classifier` and `model`
/// are the bytes of `.tflite` files that replace the built-in networks for objects; null and 0 keep
/// those. An option that has no effect, such as `labels` without `classifier`, is an error, as in
/// the tool.
///
/// On success `*detector` is the detector's handle, which is never 0. On failure `*error` is a
/// sentence, to be released with `martlet_text_release`; `error` may be null.
@c(martlet_detector_make)
public func makeDetector(
  _ options: UnsafePointer<CChar>?, _ classifier: UnsafeRawPointer?, _ classifierCount: Int,
  _ model: UnsafeRawPointer?, _ modelCount: Int, _ detector: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let options = unsafe options, let detector = unsafe detector,
    let classifier = unsafe bytes(classifier, classifierCount),
    let model = unsafe bytes(model, modelCount)
  else {
    unsafe store("an argument is null, or a count is negative", in: error)
    return .invalidArgument
  }
  let configuration: DetectorConfiguration
  let reader: JSONReader
  do throws(JSONError) {
    let text = unsafe string(at: options)
    reader = JSONReader(try JSON(parsing: Array(text.utf8)))
    configuration = try DetectorConfiguration(reader)
    try Deadline.requireClock(for: configuration.decoding.0.timeout)
  } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidOptions
  }
  let models = (classifier.isEmpty ? [] : ["classifier"]) + (model.isEmpty ? [] : ["detector"])
  if let reason = UselessOption(of: configuration, reader, models: models) {
    unsafe store(reason.description, in: error)
    return .invalidOptions
  }
  do throws(VisionError) {
    let made = try LineDetector(configuration, classifier: classifier, detector: model)
    unsafe detector.pointee = detectors.add(Shared(made))
    return .success
  } catch let reason {
    unsafe store(reason.description, in: error)
    return MartletStatus(reason.kind)
  }
}

/// Detects in the `count` bytes of an image file.
///
/// `*line` is a line of JSON as `martlet detect --json` prints it, without a line feed, to be
/// released with `martlet_text_release`. If the image cannot be processed, it has the member `error`,
/// and the status is the kind of the error. `name` becomes the member `image`. With the status
/// `invalidArgument` there is no line.
@c(martlet_detector_detect_file)
public func detectFile(
  _ detector: Int32, _ name: UnsafePointer<CChar>?, _ file: UnsafeRawPointer?, _ count: Int,
  _ line: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let name = unsafe name, unsafe line != nil, let shared = detectors[detector],
    let file = unsafe bytes(file, count)
  else { return .invalidArgument }
  let text = unsafe string(at: name)
  let (result, status) = shared.withLock { $0.answer($0.line(of: text, file: file)) }
  unsafe store(result.description, in: line)
  return status
}

/// Whether a file is in a format that `martlet_detector_detect_file` decodes, by its beginning: the
/// first `count` bytes, of which 64 suffice.
///
/// The status is `invalidImage` if it is in another format. A browser may decode the file then.
@c(martlet_image_check)
public func checkImage(_ file: UnsafeRawPointer?, _ count: Int) -> MartletStatus {
  guard let file = unsafe bytes(file, min(count, ImageFile.signatureLength)) else {
    return .invalidArgument
  }
  do throws(ImageFileError) {
    try ImageFile.check(beginning: file, byteCount: nil, limits: ImageLimits())
    return .success
  } catch { return .invalidImage }
}

/// The order of the bytes of a pixel. Alpha is ignored.
@c public enum MartletPixelFormat: CInt, Sendable {
  case rgba = 0
  case bgra = 1
  case rgb = 2
  case bgr = 3
  case gray = 4
}

/// Detects in an upright image of `height` rows of `width` pixels, which are read in place.
///
/// `format` is a `MartletPixelFormat`. `bytesPerRow` is the distance of the starts of rows; 0 if they
/// have no padding. The result is that of `martlet_detector_detect_file`.
@c(martlet_detector_detect_pixels)
public func detectPixels(
  _ detector: Int32, _ name: UnsafePointer<CChar>?, _ pixels: UnsafeRawPointer?, _ format: Int32,
  _ width: Int32, _ height: Int32, _ bytesPerRow: Int,
  _ line: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  let size = ImageSize(width: Int(width), height: Int(height))
  guard let name = unsafe name, let pixels = unsafe pixels, unsafe line != nil,
    let shared = detectors[detector],
    let image = unsafe RGBImage(pixels, format: format, size, bytesPerRow: bytesPerRow)
  else { return .invalidArgument }
  let text = unsafe string(at: name)
  let (result, status) = shared.withLock { $0.answer($0.line(of: text, image)) }
  unsafe store(result.description, in: line)
  return status
}

/// Releases a detector. A running detection ends first; other handles stay valid.
@c(martlet_detector_release)
public func releaseDetector(_ detector: Int32) { detectors.remove(detector) }

extension RGBImage {
  /// The image in rows of pixels whose validity the caller guarantees; `nil` for a size, distance or
  /// format that is out of range.
  init?(
    _ pixels: UnsafeRawPointer, format: Int32, _ size: ImageSize, bytesPerRow: Int
  ) {
    guard let format = MartletPixelFormat(rawValue: format)?.format else { return nil }
    do throws(ImageError) {
      try size.validate()
      let rowBytes = format.bytesPerRow(ofPlane: 0, width: size.width)
      let distance = bytesPerRow == 0 ? rowBytes : bytesPerRow
      let (before, isTooLarge) = distance.multipliedReportingOverflow(by: size.height - 1)
      let (count, isTooLong) = before.addingReportingOverflow(rowBytes)
      guard distance > 0, !isTooLarge, !isTooLong else { return nil }
      let view = unsafe try PixelView(
        size: size, format: format, bytes: UnsafeRawBufferPointer(start: pixels, count: count),
        bytesPerRow: distance)
      self.init(view)
    } catch { return nil }
  }
}

extension LineDetector {
  /// The line of an image with its status.
  fileprivate func answer(_ line: JSON) -> (JSON, MartletStatus) {
    (line, errorKind.map { MartletStatus($0) } ?? .success)
  }
}

extension MartletPixelFormat {
  /// The format in Swift.
  fileprivate var format: PixelFormat {
    switch self {
    case .rgba: .rgba
    case .bgra: .bgra
    case .rgb: .rgb
    case .bgr: .bgr
    case .gray: .gray
    }
  }
}
