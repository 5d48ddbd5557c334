import MartletTestSupport
import Testing

@testable import MartletVision

/// Shapes of networks that people take for detectors.
@Suite struct UndecodedOutputsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The sides of the input.
    let height, width: Int
    let outputs: [[Int]]
    /// `nil` if the network is no detector.
    let form: UndecodedOutputs?
    var isPlanar = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "YOLOv3", height: 64, width: 64, outputs: [[1, 2, 2, 255], [1, 4, 4, 255]],
      form: .grids),
    Case(name: "YOLOv2", height: 416, width: 416, outputs: [[1, 13, 13, 425]], form: .grids),
    Case(
      name: "YOLOv8, raw", height: 64, width: 64,
      outputs: [[1, 8, 8, 64], [1, 8, 8, 80], [1, 4, 4, 64], [1, 4, 4, 80]], form: .distances),
    Case(
      name: "YOLOv8, raw and planar", height: 64, width: 64,
      outputs: [[1, 64, 8, 8], [1, 3, 8, 8], [1, 64, 4, 4], [1, 3, 4, 4]], form: .distances,
      isPlanar: true),
    Case(
      name: "SSD, rows", height: 120, width: 160, outputs: [[1, 1118, 4], [1, 1118, 2]], form: .ssd),
    Case(
      name: "SSD, grids", height: 300, width: 300,
      outputs: [[1, 19, 19, 12], [1, 19, 19, 273], [1, 10, 10, 24], [1, 10, 10, 546]], form: .ssd),
    Case(
      name: "palm detector", height: 192, width: 192, outputs: [[1, 2016, 18], [1, 2016, 1]],
      form: .boxesWithPoints),
    Case(
      name: "pose detector", height: 128, width: 128, outputs: [[1, 896, 1], [1, 896, 12]],
      form: .boxesWithPoints),
    Case(
      name: "DBFace", height: 256, width: 256,
      outputs: [[1, 64, 64, 10], [1, 64, 64, 4], [1, 64, 64, 1]], form: nil),
    Case(
      name: "PoseNet", height: 257, width: 257,
      outputs: [[1, 17, 17, 32], [1, 17, 17, 32], [1, 17, 17, 17], [1, 17, 17, 34]], form: nil),
    Case(
      name: "face mesh with attention", height: 192, width: 192,
      outputs: [1404, 160, 142, 142, 10, 10, 1].map { [1, 1, 1, $0] }, form: nil),
    Case(
      name: "boxes in space", height: 640, width: 480,
      outputs: [[1, 40, 30, 1], [1, 40, 30, 16], [1, 160, 120, 4]], form: nil),
    Case(name: "masks", height: 64, width: 64, outputs: [[1, 64, 64, 21]], form: nil),
    Case(name: "landmarks", height: 64, width: 64, outputs: [[1, 213], [1, 15]], form: nil),
  ])
  func namesTheFormOrNone(_ example: Case) {
    let (height, width) = (example.height, example.width)
    let file = HeadFile(
      input: example.isPlanar ? [1, 3, height, width] : [1, height, width, 3],
      outputs: example.outputs.map { .init(shape: $0) })
    let reason: ModelRequirement =
      example.form.map { .anchors($0) } ?? .detector(outputs: example.outputs.map { Shape($0) })
    #expect(throws: VisionError.unsuitable(reason)) { try file.objects() }
  }

  @Test(arguments: [
    (UndecodedOutputs.grids, "option anchors"), (.distances, "with decoded boxes"),
    (.ssd, "with TFLite_Detection_PostProcess"), (.boxesWithPoints, "only BlazeFace"),
  ])
  func saysWhatToDo(_ form: UndecodedOutputs, _ words: String) {
    #expect("\(VisionError.unsuitable(.anchors(form)))".contains(words))
  }
}
