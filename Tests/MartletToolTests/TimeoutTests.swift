import Foundation
import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// Commands end soon after the time limit that `--timeout` sets for a network.
@Suite(.timeLimit(.minutes(5))) struct TimeoutTests {
  private let image = Fixtures.folder("Scenes").path + "/fruit.jpg"

  @Test(arguments: [["classify"], ["detect"]])
  func slowNetworkFailsTheImage(_ words: [String]) {
    #expect(MartletTool.run(words + [image, "--timeout", "0.001", "--threads", "1"]) == 1)
    #expect(MartletTool.run(words + [image, "--timeout", "60"]) == 0)
  }

  /// A million pixels as text take ten milliseconds or more.
  @Test func slowDecoderFailsTheImage() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/a.ppm"
    let samples = String(repeating: "0 ", count: 3_000_000)
    try Data("P3 1000 1000 255\n\(samples)".utf8).write(to: URL(filePath: path))
    let words = ["decode", path, "--output", folder, "--timeout"]
    #expect(MartletTool.run(words + ["0.001"]) == 1)
    #expect(MartletTool.run(words + ["60"]) == 0)
  }

  /// The networks of faces can end within the shortest limit that the option accepts.
  @Test func networksOfFacesObserveTheLimit() throws {
    let faces = try FaceOptions(Arguments([image], for: FacesCommand.specification))
    let pixels = try ImageFile(readingFrom: FilePath(image), limits: .init()).upright
    #expect(throws: (any Error).self) {
      try faces.finder(.init(cancellation: .timeLimit(seconds: 0))).faces(in: pixels)
    }
    _ = try faces.finder(.init(cancellation: .timeLimit(seconds: 60))).faces(in: pixels)
    #expect(MartletTool.run(["faces", image, "--timeout", "60"]) == 0)
  }

  @Test(arguments: ["0", "-1", "x", "nan", "inf"])
  func rejectsInvalidTimes(_ time: String) {
    #expect(MartletTool.run(["classify", image, "--timeout", time]) == 2)
  }

  @Test(arguments: ["run", "inspect"])
  func slowModelFails(_ command: String) {
    let model = Fixtures.folder("Models").path + "/constant_products.tflite"
    #expect(MartletTool.run([command, model, "--timeout", "1"]) == 1)
  }
}
