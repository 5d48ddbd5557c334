import MartletBase
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletC

/// Tracks boxes as a C program does.
@Suite struct TrackersTests {
  private func take(_ text: inout UnsafeMutablePointer<CChar>?) -> String? {
    defer {
      releaseText(text)
      text = nil
    }
    return text.map { String(cString: $0) }
  }

  private func make(_ options: String = "{}") -> (MartletStatus, Int32, String?) {
    var handle: Int32 = 0
    var error: UnsafeMutablePointer<CChar>?
    let status = makeTracker(options, &handle, &error)
    return (status, handle, take(&error))
  }

  private func update(
    _ tracker: Int32, _ boxes: [Float], _ pixels: [UInt8]? = nil, width: Int32 = 64,
    height: Int32 = 48
  ) -> (MartletStatus, String?) {
    var line: UnsafeMutablePointer<CChar>?
    let status = updateTracker(
      tracker, boxes, boxes.count / 6, pixels, MartletPixelFormat.rgb.rawValue, width, height, 0,
      &line)
    return (status, take(&line))
  }

  private static let size = ImageSize(width: 64, height: 48)

  /// A red and a blue square, which pass each other.
  private static func frame(_ step: Int) throws -> (image: RGBImage, boxes: [Float]) {
    let left = [4 + 2 * Float(step), 40 - 2 * Float(step)]
    var pixels = [UInt8](repeating: 128, count: 3 * size.pixelCount)
    for (place, x) in left.enumerated() {
      for row in 10 + 12 * place..<26 + 12 * place {
        for column in Int(x)..<Int(x) + 16 {
          let first = 3 * (row * size.width + column)
          let color: [UInt8] = place == 0 ? [220, 20, 30] : [20, 40, 220]
          pixels.replaceSubrange(first..<first + 3, with: color)
        }
      }
    }
    let boxes = left.enumerated().flatMap { place, x -> [Float] in
      [x, 10 + 12 * Float(place), 16, 16, 0.9, Float(place)]
    }
    return (try RGBImage(width: size.width, height: size.height, pixels: pixels), boxes)
  }

  @Test(arguments: [false, true])
  func linesHaveTheTrackersObjects(_ hasPixels: Bool) throws {
    let handle = make().1
    defer { releaseTracker(handle) }
    var tracker = ObjectTracker()
    for step in 0..<12 {
      let (image, numbers) = try Self.frame(step)
      let boxes = stride(from: 0, to: numbers.count, by: 6).map { first in
        DetectedObject(
          frame: Box(x: numbers[first], y: numbers[first + 1], width: 16, height: 16), score: 0.9,
          labels: [ObjectLabel(text: "", index: Int(numbers[first + 5]), confidence: 0.9)])
      }
      let objects =
        hasPixels ? tracker.update(boxes, in: image) : tracker.update(boxes, in: Self.size)
      let (status, line) = update(handle, numbers, hasPixels ? image.pixels : nil)
      #expect(status == .success)
      #expect(line == "\(JSON.line(of: "", frame: step, Self.size, objects))")
      if hasPixels { #expect(Set(objects.map(\.trackingID)) == [0, 1]) }
    }
  }

  @Test func objectsAreSkippedAndReset() {
    let handle = make().1
    defer { releaseTracker(handle) }
    let box: [Float] = [20, 10, 16, 16, 0.9, -1]
    #expect(update(handle, box).1?.contains(#""trackingID":0,"labels":[]"#) == true)
    var line: UnsafeMutablePointer<CChar>?
    #expect(skipTracker(handle, 64, 48, &line) == .success)
    let skipped = take(&line)
    #expect(skipped?.hasPrefix(#"{"image":"","frame":1,"width":64,"#) == true)
    #expect(skipped?.contains(#""trackingID":0"#) == true)
    #expect(resetTracker(handle) == .success)
    #expect(update(handle, box).1?.contains(#""trackingID":1"#) == true)
  }

  @Test func optionsAreThoseOfTheTracker() {
    let (_, handle, _) = make(#"{"maxObjects":1,"startScore":0.3,"lowScore":0.2,"keepLost":0}"#)
    defer { releaseTracker(handle) }
    let boxes: [Float] = [4, 4, 16, 16, 0.35, 0, 40, 20, 16, 16, 0.35, 0]
    let count = { (line: String?) in line?.split(separator: "trackingID").count ?? 0 }
    #expect(count(update(handle, boxes).1) == 2)
    #expect(count(update(handle, [4, 4, 16, 16, 0.19, 0]).1) == 1)
  }

  @Test(arguments: ["", "[]", #"{"maxObjects":0}"#, #"{"startScore":2}"#, #"{"stream":true}"#])
  func invalidOptionsAreErrors(_ options: String) {
    let (status, handle, error) = make(options)
    #expect(status == .invalidOptions && handle == 0 && error?.isEmpty == false)
  }

  @Test func numbersThatAreNoBoxesAreIgnored() {
    let handle = make().1
    defer { releaseTracker(handle) }
    let numbers: [Float] = [
      .nan, 0, 8, 8, 0.9, 0, 0, 0, .infinity, 8, 0.9, 0, 0, 0, 8, -8, 0.9, 0, 0, 0, 8, 8, .nan, 0,
      20, 10, 16, 16, 0.9, .infinity,
    ]
    let (status, line) = update(handle, numbers)
    #expect(status == .success)
    #expect(line?.split(separator: "trackingID").count == 2)
    #expect(line?.contains(#""labels":[]"#) == true)
  }

  @Test func invalidArgumentsAreRefused() {
    let handle = make().1
    var line: UnsafeMutablePointer<CChar>?
    let rgb = MartletPixelFormat.rgb.rawValue
    #expect(makeTracker(nil, nil, nil) == .invalidArgument)
    for count in [-1, 1, Int.max, Int.max / 6] {
      #expect(
        updateTracker(handle, nil, count, nil, rgb, 64, 48, 0, &line) == .invalidArgument)
    }
    let box: [Float] = [20, 10, 16, 16, 0.9, 0]
    for (width, height) in [(0, 48), (64, -1), (.max, .max)] as [(Int32, Int32)] {
      #expect(update(handle, box, width: width, height: height).0 == .invalidArgument)
      #expect(skipTracker(handle, width, height, &line) == .invalidArgument)
    }
    #expect(updateTracker(handle, box, 1, [0, 0, 0], 9, 1, 1, 0, &line) == .invalidArgument)
    #expect(updateTracker(handle, box, 1, nil, rgb, 64, 48, 0, nil) == .invalidArgument)
    #expect(update(handle, []).0 == .success)
    releaseTracker(handle)
    #expect(update(handle, box).0 == .invalidArgument && resetTracker(handle) == .invalidArgument)
    #expect(line == nil)
  }
}
