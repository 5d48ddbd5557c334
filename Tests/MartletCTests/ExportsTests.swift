import Foundation
import MartletBase
import MartletCodecs
import MartletImage
import MartletTestSupport
import Testing

@testable import MartletC
import MartletInference
import MartletModel
import MartletVision

/// Calls the functions as a C program does.
@Suite struct ExportsTests {
  let image = Fixtures.folder("Scenes").appending(path: "fruit.jpg")

  /// Takes a text that a function returned.
  private func take(_ text: inout UnsafeMutablePointer<CChar>?) -> String? {
    defer {
      releaseText(text)
      text = nil
    }
    return text.map { String(cString: $0) }
  }

  /// Creates a detector; returns its handle, or the status and the error.
  private func make(
    _ options: String?, classifier: [UInt8] = [], model: [UInt8] = []
  ) -> (status: MartletStatus, handle: Int32, error: String?) {
    var handle: Int32 = 0
    var error: UnsafeMutablePointer<CChar>?
    let status =
      options.map {
        makeDetector($0, classifier, classifier.count, model, model.count, &handle, &error)
      } ?? makeDetector(nil, nil, 0, nil, 0, &handle, &error)
    return (status, handle, take(&error))
  }

  @Test func versionEndsWithZeroByte() {
    #expect(String(cString: version()) == packageVersion.description)
  }

  private func detect(_ detector: Int32, _ file: [UInt8]) -> (MartletStatus, String?) {
    var line: UnsafeMutablePointer<CChar>?
    let status = detectFile(detector, "a.jpg", file, file.count, &line)
    return (status, take(&line))
  }

  @Test(arguments: [
    #"{"multiple":true,"classify":true}"#, #"{"faces":true,"landmarks":true}"#,
    #"{"stream":true}"#,
  ])
  func linesEqualTheDetectors(_ options: String) throws {
    let file = [UInt8](try Data(contentsOf: image))
    let made = make(options)
    #expect(made.status == .success && made.handle != 0 && made.error == nil)
    let request = try DetectorConfiguration(JSONReader(JSON(parsing: Array(options.utf8))))
    let expected = try LineDetector(request).line(of: "a.jpg", file: file).description
    let (status, line) = detect(made.handle, file)
    #expect(status == .success && line == expected)
    releaseDetector(made.handle)
    let (after, nothing) = detect(made.handle, file)
    #expect(after == .invalidArgument && nothing == nil)
  }

  @Test func pixelsEqualTheFile() throws {
    let upright = try ImageFile(decoding: [UInt8](Data(contentsOf: image))).upright
    var rgba: [UInt8] = []
    for (index, value) in upright.pixels.enumerated() {
      rgba.append(value)
      if index % 3 == 2 { rgba.append(255) }
    }
    let detector = make("{}").handle
    defer { releaseDetector(detector) }
    var line: UnsafeMutablePointer<CChar>?
    #expect(
      detectPixels(
        detector, "a.jpg", rgba, MartletPixelFormat.rgba.rawValue, Int32(upright.width),
        Int32(upright.height), 0, &line) == .success)
    #expect(take(&line) == detect(detector, [UInt8](try Data(contentsOf: image))).1)
  }

  /// Each format gives the line of the image that it stores, with padded rows too.
  @Test(arguments: [
    (MartletPixelFormat.rgba, [0, 1, 2, nil]), (.bgra, [2, 1, 0, nil]), (.rgb, [0, 1, 2]),
    (.bgr, [2, 1, 0]),
  ])
  func pixelFormatsGiveTheSameLine(
    _ format: MartletPixelFormat, _ channels: [Int?]
  ) throws {
    let upright = try ImageFile(decoding: [UInt8](Data(contentsOf: image))).upright
    let (width, height) = (upright.width, upright.height)
    let detector = make("{}").handle
    defer { releaseDetector(detector) }
    for padding in [0, 7] {
      var pixels: [UInt8] = []
      for row in 0..<height {
        for column in 0..<width {
          let first = (row * width + column) * 3
          pixels += channels.map { channel in channel.map { upright.pixels[first + $0] } ?? 99 }
        }
        if row < height - 1 { pixels += [UInt8](repeating: 77, count: padding) }
      }
      var line: UnsafeMutablePointer<CChar>?
      let status = detectPixels(
        detector, "a.jpg", pixels, format.rawValue, Int32(width), Int32(height),
        padding == 0 ? 0 : channels.count * width + padding, &line)
      #expect(status == .success)
      #expect(take(&line) == detect(detector, [UInt8](try Data(contentsOf: image))).1)
    }
  }

  @Test func grayPixelsEqualEqualChannels() {
    let (width, height) = (64, 48)
    let gray = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 % width * 4 + $0 / width) }
    let rgb = gray.flatMap { [$0, $0, $0] }
    let detector = make("{}").handle
    defer { releaseDetector(detector) }
    var lines: [String?] = []
    for (format, pixels) in [(MartletPixelFormat.gray, gray), (.rgb, rgb)] {
      var line: UnsafeMutablePointer<CChar>?
      let status = detectPixels(
        detector, "a", pixels, format.rawValue, Int32(width), Int32(height), 0, &line)
      #expect(status == .success)
      lines.append(take(&line))
    }
    #expect(lines[0] == lines[1] && lines[0] != nil)
  }

  @Test(
    arguments: [
      (nil, MartletStatus.invalidArgument), ("", .invalidOptions), ("[]", .invalidOptions),
      (#"{"wings":2}"#, .invalidOptions), (#"{"minScore":7}"#, .invalidOptions),
    ] as [(String?, MartletStatus)])
  func invalidOptionsAreErrors(_ options: String?, _ status: MartletStatus) {
    let made = make(options)
    #expect(made.status == status && made.handle == 0 && made.error?.isEmpty == false)
  }

  @Test func invalidModelIsAnError() {
    let made = make(#"{"classify":true}"#, classifier: [1, 2, 3])
    #expect(made.status == .invalidModel && made.error?.isEmpty == false)
  }

  /// Formats are recognized by the first bytes.
  @Test func imageCheckTellsWhichFilesAreDecoded() throws {
    let file = [UInt8](try Data(contentsOf: image))
    #expect(checkImage(file, file.count) == .success)
    #expect(checkImage(file, 64) == .success)
    let heic = [0, 0, 0, 24] + Array("ftypheic".utf8)
    #expect(checkImage(heic, heic.count) == .invalidImage)
    #expect(checkImage([1, 2, 3], 3) == .invalidImage)
    #expect(checkImage(nil, 0) == .invalidImage)
    #expect(checkImage(nil, 5) == .invalidArgument && checkImage([1], -1) == .invalidArgument)
  }

  @Test func invalidImageHasALine() {
    let detector = make("{}").handle
    defer { releaseDetector(detector) }
    let (status, line) = detect(detector, [1, 2, 3])
    #expect(status == .unsupportedImage)
    #expect(line?.hasPrefix(#"{"image":"a.jpg","error":"#) == true)
    #expect(detect(detector, [0xFF, 0xD8]).0 == .invalidImage)
    var text: UnsafeMutablePointer<CChar>?
    #expect(detectFile(detector, "a", nil, 5, &text) == .invalidArgument)
    #expect(detectFile(detector, "a", [1], -1, &text) == .invalidArgument)
    #expect(detectFile(detector, nil, [1], 1, &text) == .invalidArgument)
    #expect(detectFile(detector, "a", [1], 1, nil) == .invalidArgument)
    #expect(detectFile(0, "a", [1], 1, &text) == .invalidArgument)
    for (width, height) in [(0, 1), (1, -1), (.max, .max), (.min, .min)] as [(Int32, Int32)] {
      #expect(
        detectPixels(detector, "a", [1, 2, 3, 4], 0, width, height, 0, &text) == .invalidArgument)
    }
    let pixels = [UInt8](repeating: 0, count: 64)
    for (format, bytesPerRow) in [(-1, 0), (5, 0), (0, 15), (0, -16), (0, .max)] as [(Int32, Int)] {
      #expect(
        detectPixels(detector, "a", pixels, format, 4, 4, bytesPerRow, &text) == .invalidArgument)
    }
    #expect(text == nil)
  }

  /// The status is the kind of the error.
  @Test(
    arguments: [
      (#"{"maxMemory":1}"#, nil, .limitExceeded),
      (#"{"timeout":0.001}"#, "Scenes/fruit.jpg", .deadlineExceeded),
      (#"{"region":[9000,0,5,5]}"#, "Scenes/fruit.jpg", .invalidImage),
      ("{}", "Models/blocks_f32.tflite", .unsupportedImage),
    ] as [(String, String?, MartletStatus)])
  func errorsOfImagesHaveAStatus(
    _ options: String, _ path: String?, _ status: MartletStatus
  ) throws {
    let made = make(options)
    defer { releaseDetector(made.handle) }
    // On slow machines the networks are not prepared in time.
    guard made.status == .success else {
      #expect(made.status == status && status == .deadlineExceeded)
      return
    }
    let black = [UInt8]("P5 2000 2000 255\n".utf8) + [UInt8](repeating: 0, count: 4_000_000)
    let file = try path.map { try Fixtures.bytes(of: Fixtures.folder($0)) } ?? black
    let (found, line) = detect(made.handle, file)
    #expect(found == status && line?.contains("error") == true)
  }

  @Test func detectorsWorkInParallel() async throws {
    let file = [UInt8](try Data(contentsOf: image))
    let detector = make(#"{"multiple":true}"#).handle
    defer { releaseDetector(detector) }
    let expected = detect(detector, file).1
    let lines = await withTaskGroup { group in
      for index in 0..<8 {
        group.addTask {
          let own = index % 2 == 0 ? detector : self.make(#"{"multiple":true}"#).handle
          return self.detect(own, file).1
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(lines.count == 8 && lines.allSatisfy { $0 == expected })
  }

  @Test func modelRunsOnRawTensors() throws {
    let file = [UInt8](
      try Data(contentsOf: Fixtures.root.appending(path: "Weights/classifier.tflite")))
    var model: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    #expect(makeModel("{}", file, file.count, &model, &text) == .success)
    defer { releaseModel(model) }
    #expect(describeModel(model, &text) == .success)
    let description = try #require(take(&text))
    #expect(description.contains(#""shape":[1,160,160,3],"type":"uint8","quantization":{"#))
    #expect(description.contains(#""bytes":76800"#) && description.hasSuffix(#""isFixed":true}"#))
    let input = [UInt8](repeating: 7, count: 76_800)
    var output = [UInt8](repeating: 0, count: 6)
    func run(_ outputCount: Int) -> MartletStatus {
      input.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output in
          runModel(
            model, [input.baseAddress], [input.count], 1, [output.baseAddress], [outputCount], 1,
            &text)
        }
      }
    }
    #expect(run(6) == .success)
    let interpreter = try Interpreter(model: Model(bytes: file))
    try interpreter.setInput(0, to: input)
    try interpreter.invoke()
    #expect(try output == interpreter.output(0))
    #expect(run(5) == .invalidArgument)
    #expect(take(&text) == "output 0 has 6 bytes, found 5")
    var copy = [UInt8](repeating: 0, count: 6)
    #expect(readModelOutput(model, 0, &copy, 6, &text) == .success && copy == output)
    #expect(readModelOutput(model, 0, &copy, 7, &text) == .invalidArgument)
    #expect(take(&text) == "output 0 has 6 bytes, found 7")
    #expect(readModelOutput(model, 1, &copy, 6, &text) == .invalidArgument)
    #expect(take(&text)?.isEmpty == false)
  }

  @Test func resizedInputChangesTheShapeOfTheOutput() throws {
    let archive = try TarArchive(Fixtures.bytes(of: Fixtures.folder("Operators/abs.tar")))
    let file = try #require(archive["abs_f32_2x33.tflite"])
    var model: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    #expect(makeModel("{}", file, file.count, &model, &text) == .success)
    defer { releaseModel(model) }
    #expect(resizeModelInput(model, 0, [1, 4, 5], 3, &text) == .success)
    #expect(describeModel(model, &text) == .success)
    let shapes = try #require(take(&text)).split(separator: #""shape":[1,4,5]"#)
    #expect(shapes.count == 3)
    for (index, extents) in [(1, [1, 96, 96, 3]), (0, [-1]), (0, Array(1...9))] as [(Int, [Int32])]
    {
      #expect(
        resizeModelInput(model, index, extents, extents.count, &text) == .invalidArgument)
      #expect(take(&text)?.isEmpty == false)
    }
    #expect(resizeModelInput(model, 0, nil, 4, &text) == .invalidArgument)
    #expect(take(&text)?.isEmpty == false)
  }

  @Test(arguments: [
    ("{", MartletStatus.invalidOptions), (#"{"timeut":1}"#, .invalidOptions),
    (#"{"maxMemory":0}"#, .invalidOptions), (#"{"timeout":60,"maxMemory":1}"#, .success),
  ])
  func modelOptionsAreChecked(_ options: String, _ status: MartletStatus) throws {
    let file = try Fixtures.bytes(
      of: Fixtures.folder("Models").appending(path: "blocks_f32.tflite"))
    var model: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    #expect(makeModel(options, file, file.count, &model, &text) == status)
    #expect((take(&text) == nil) == (status == .success))
    releaseModel(model)
  }

  @Test func damagedModelIsAnError() {
    var model: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    #expect(makeModel("{}", [1, 2, 3], 3, &model, &text) == .invalidModel)
    #expect(take(&text)?.isEmpty == false && model == 0)
    #expect(describeModel(7777, &text) == .invalidArgument)
    #expect(runModel(7777, nil, nil, 0, nil, nil, 0, &text) == .invalidArgument)
    #expect(take(&text) == "the model was released, or an argument is null")
  }
}
