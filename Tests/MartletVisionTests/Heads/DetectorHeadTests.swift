import Foundation
import MartletTestSupport
import Testing

@testable import MartletVision

/// Each head decodes boxes that were computed by hand. Images have 128 x 64 pixels: in a letterboxed
/// input of 64 x 64 they fill the rows 16 to 48 at half the size.
@Suite struct DetectorHeadTests {
  typealias Output = HeadFile.Output

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let file: HeadFile
    var head: DetectorHead?
    /// Left, top, right, bottom, score and class.
    let boxes: [[Float]]
    var testDescription: String { name }
  }

  static let cells = HeadFile.cells
  /// A box of 16 x 8 pixels around (32, 32) of the input: 32 x 16 around (64, 32) of the image.
  static let middle: [Float] = [48, 24, 80, 40]

  static let cases: [Case] = [
    Case(
      name: "yolov8, shares",
      file: HeadFile(outputs: [
        .table(cells, 6, isTransposed: true, [3: [0.5, 0.5, 0.25, 0.125, 0.1, 0.75]])
      ]), boxes: [middle + [0.75, 1]]),
    Case(
      name: "yolov8, pixels and planes",
      file: HeadFile(
        input: [1, 3, 64, 64],
        outputs: [.table(cells, 6, isTransposed: true, [3: [32, 32, 16, 8, 0.75, 0.1]])]),
      boxes: [middle + [0.75, 0]]),
    Case(
      name: "yolov8 with boxes and scores in two outputs",
      file: HeadFile(outputs: [
        Output.table(cells, 3, isTransposed: true, [3: [0, 0, 0.5]])
          .quantized(.int8, scale: 1.0 / 256, zeroPoint: -128),
        Output.table(cells, 4, isTransposed: true, [3: [32, 32, 16, 8]])
          .quantized(.uint8, scale: 0.5, zeroPoint: 0),
      ]), boxes: [middle + [0.5, 2]]),
    Case(
      name: "yolov8 with masks",
      file: HeadFile(outputs: [
        .table(
          cells, 7, isTransposed: true, [3: [0.5, 0.5, 0.25, 0.125, 0.75, 9, -9]]),
        Output(shape: [1, 16, 16, 2]),
      ]), boxes: [middle + [0.75, 0]]),
    Case(
      name: "yolov8 with points",
      file: HeadFile(
        outputs: [
          .table(
            cells, 8, isTransposed: true, [3: [0.5, 0.5, 0.25, 0.125, 0.75, 9, 9, 9]])
        ], files: ["metadata.json": #"{"task":"pose","names":{"0":"hand"}}"#]),
      boxes: [middle + [0.75, 0]]),
    Case(
      name: "yolov8 with an angle of a quarter turn",
      file: HeadFile(
        outputs: [
          .table(
            cells, 6, isTransposed: true, [3: [32, 32, 8, 16, 0.75, Float.pi / 2]])
        ], files: ["metadata.json": #"{"task":"obb","names":{"0":"ship"}}"#]),
      boxes: [middle + [0.75, 0]]),
    Case(
      name: "yolov5, shares",
      file: HeadFile(outputs: [
        .table(3 * cells, 7, [7: [0.5, 0.5, 0.25, 0.125, 0.5, 0.25, 1]])
      ]), boxes: [middle + [0.5, 1]]),
    Case(
      name: "yolov5 of one class, pixels",
      file: HeadFile(outputs: [.table(3 * cells, 6, [7: [32, 32, 16, 8, 0.5, 1]])]),
      boxes: [middle + [0.5, 0]]),
    Case(
      name: "end-to-end, shares",
      file: HeadFile(outputs: [
        .table(30, 6, [0: [0.375, 0.4375, 0.625, 0.5625, 0.9, 7], 1: [0, 0, 1, 1, 0.1, 2]])
      ]), boxes: [middle + [0.9, 7]]),
    Case(
      name: "end-to-end, pixels",
      file: HeadFile(outputs: [.table(30, 6, [2: [24, 28, 40, 36, 0.9, 0]])]),
      boxes: [middle + [0.9, 0]]),
    Case(
      name: "end-to-end, a class that is no number",
      file: HeadFile(outputs: [
        .table(30, 6, [0: [24, 28, 40, 36, 0.9, 0], 1: [4, 8, 20, 16, 0.8, .nan]])
      ]), boxes: [middle + [0.9, 0]]),
    // Cell 21 is the column 5 of row 2 of stride 8; the image is at the top left.
    Case(
      name: "yolox",
      file: HeadFile(outputs: [.table(cells, 7, rest: -1, yolox(21, [-1, 0, 0, 0, 1, 0, 0.5]))]),
      head: .yolox, boxes: [[56, 24, 72, 40, 0.5, 1]]),
    Case(
      name: "yolox, decoded",
      file: HeadFile(outputs: [
        .table(cells, 7, [21: [32, 16, 8, 8, 1, 0, 0.5], 83: [60, 60, 8, 8]])
      ]),
      head: .yoloxDecoded, boxes: [[56, 24, 72, 40, 0.5, 1]]),
    // The center (44, 20) and distances of 1 to 4 cells: (36, 4) to (68, 52) of the input.
    Case(
      name: "nanodet",
      file: HeadFile(outputs: [.table(cells, 34, [21: [0.75, 0] + bins([1, 2, 3, 4])])]),
      head: .nanoDet, boxes: [[72, 0, 128, 64, 0.75, 0]]),
    Case(
      name: "nanodet-plus",
      file: HeadFile(outputs: [
        .table(HeadFile.cellsOfFourLevels, 34, [21: [0.75, 0] + bins([1, 0, 1, 1])])
      ]), head: .nanoDetPlus, boxes: [[64, 0, 96, 16, 0.75, 0]]),
    Case(
      name: "picodet",
      file: HeadFile(outputs: [
        .table(HeadFile.cellsOfFourLevels, 2, [21: [0.75, 0]]),
        .table(HeadFile.cellsOfFourLevels, 32, [21: bins([1, 0, 1, 1])]),
      ]), head: .picoDet, boxes: [[72, 8, 104, 24, 0.75, 0]]),
    // e^0.. of an anchor of half the image, moved by a tenth of it.
    Case(
      name: "mediapipe",
      file: HeadFile(
        outputs: [
          .table(5, 4, [2: [0, 2, 0, 0]]), .table(5, 3, [2: [1, 0, 0.75]]),
        ], anchors: HeadFile.anchors(count: 5, isLogit: false)),
      boxes: [[44.8, 16, 108.8, 48, 0.75, 2]]),
    Case(
      name: "mediapipe, logits",
      file: HeadFile(
        outputs: [
          .table(5, 3, rest: -9, [2: [9, 0, -9]]), .table(5, 4, [2: [0, 0, 0, 0]]),
        ], anchors: HeadFile.anchors(count: 5, isLogit: true)),
      boxes: [[32, 16, 96, 48, 0.5, 1]]),
    // Anchor 2 * (8 * 16 + 8) has its center at 17/32 of the sides.
    Case(
      name: "blazeface",
      file: HeadFile(
        input: [1, 128, 128, 3],
        outputs: [
          .table(896, 1, rest: -9, [272: [9]]), .table(896, 16, [272: [-4, -4, 32, 16]]),
        ]), boxes: [[48, 24, 80, 40, 0.9998766, 0]]),
    // Three cells touch, also at a corner.
    Case(
      name: "fomo",
      file: HeadFile(
        input: [1, 64, 64, 1], inputType: .int8, inputScale: 1.0 / 255, inputZeroPoint: -128,
        outputs: [
          Output(
            shape: [1, 8, 8, 3],
            numbers: [(8 + 1) * 3 + 1: 0.75, (8 + 2) * 3 + 1: 0.5, (16 + 3) * 3 + 1: 0.625, 2: 0.5]
          )
          .quantized(.int8, scale: 1.0 / 256, zeroPoint: -128)
        ]), boxes: [[16, 8, 64, 24, 0.75, 1], [0, 0, 16, 8, 0.5, 2]]),
  ]

  /// All cells far left, as raw numbers of a network are, except one.
  private static func yolox(_ cell: Int, _ numbers: [Float]) -> [Int: [Float]] {
    var rows: [Int: [Float]] = [:]
    for row in 0..<cells { rows[row] = [0, 0, -2, -2, 0, 0, 0] }
    rows[cell] = numbers
    return rows
  }

  /// Logits whose softmax is one whole number of cells for each side.
  private static func bins(_ distances: [Int]) -> [Float] {
    distances.flatMap { distance in (0..<8).map { $0 == distance ? 80 : 0 } }
  }

  @Test(arguments: cases)
  func decodesBoxes(_ example: Case) throws {
    let objects = try example.file.objects(head: example.head)
    #expect(objects.count == example.boxes.count)
    for (object, box) in zip(objects, example.boxes) {
      let frame = object.frame
      for (found, expected) in zip([frame.x, frame.y, frame.maxX, frame.maxY], box) {
        #expect(abs(found - expected) < 0.01, "\(frame)")
      }
      #expect(abs(object.score - box[4]) < 1e-3)
      #expect(object.labels.map(\.index) == [Int(box[5])])
    }
  }

  @Test(arguments: cases)
  func recognizesHead(_ example: Case) throws {
    let readings = try example.file.readings
    if let head = example.head {
      #expect(readings.contains(head))
    } else {
      #expect(readings.map(\.rawValue) == [String(example.name.prefix { $0 != "," && $0 != " " })])
    }
  }

  @Test(arguments: [
    ([1, 84, 8400], [DetectorHead.yolov8]), ([1, 8400, 84], [.yolov8]),
    ([1, 25_200, 85], [.yolov5]), ([1, 85, 25_200], [.yolov5]), ([1, 300, 6], [.endToEnd]),
    ([1, 8400, 85], [.yolox, .yoloxDecoded]), ([1, 8400, 112], [.nanoDet]),
    ([1, 8500, 112], [.nanoDetPlus]), ([1, 34_000, 84], [.yolov8]), ([1, 102_000, 35], [.yolov5]),
    ([1, 8400, 9], [.yolov8, .yolox, .yoloxDecoded]),
  ])
  func shapesLeaveTheseHeads(_ shape: [Int], _ heads: [DetectorHead]) throws {
    // 1280 pixels a side for the larger grids.
    let side = shape.contains(34_000) || shape.contains(102_000) ? 1280 : 640
    let output = Output(shape: shape).quantized(.uint8, scale: 1.0 / 255, zeroPoint: 0)
    #expect(try HeadFile(input: [1, side, side, 3], outputs: [output]).readings == heads)
  }

  @Test func valuesOfARunTellYOLOXApart() throws {
    let raw = HeadFile(outputs: [
      .table(Self.cells, 85, Self.yolox(21, [-1, 0, 0, 0, 1, 0, 0.5]))
    ])
    #expect(try raw.objects().map(\.labels[0].text) == ["bicycle"])
    // The last cells' centers are at the right.
    func decoded(width: Float) -> HeadFile {
      HeadFile(outputs: [
        .table(Self.cells, 85, [21: [32, 16, 8, 8, 1, 0, 0.5], 83: [60, 60, width, 8]])
      ])
    }
    #expect(try decoded(width: 8).objects().map(\.labels[0].text) == ["bicycle"])
    // A side below zero is neither's.
    #expect(throws: VisionError.unsuitable(.detectorHeads([.yolox, .yoloxDecoded]))) {
      try decoded(width: -8).objects()
    }
  }

  static let refusals: [(HeadFile, ModelRequirement)] = [
    (
      HeadFile(outputs: [Output(shape: [1, 1001])]),
      .detector(outputs: [Shape(1, 1001)])
    ),
    (
      HeadFile(outputs: [
        Output.table(cells, 6, isTransposed: true, [:])
          .quantized(.int8, scale: 2.5, zeroPoint: -128)
      ]), .scoreScale(tensor: "output 0", scale: 2.5)
    ),
  ]

  @Test(arguments: refusals.indices)
  func refusesWhatItCannotRead(_ index: Int) {
    let (file, reason) = Self.refusals[index]
    #expect(throws: VisionError.unsuitable(reason)) { try file.objects() }
  }

  @Test(arguments: ["edgetpu-custom-op", "ethos-u", "NeutronGraph"])
  func refusesModelsOfAccelerators(_ name: String) throws {
    let file = HeadFile(
      outputs: [.table(Self.cells, 6, isTransposed: true, [:])], customOperator: name)
    #expect(throws: VisionError.unsuitable(.accelerator(operator: name))) { try file.objects() }
    let summary = try #require(DetectorSummary.text(of: Model(bytes: file.bytes)))
    #expect(summary.contains("use the file before"))
  }

  @Test(arguments: [false, true])
  func blueComesFirstIfRequested(_ isBGR: Bool) throws {
    let file = HeadFile(outputs: [.table(Self.cells, 6, isTransposed: true, [:])])
    #expect(try file.detector(isBGR: isBGR).reading.input.isBGR == isBGR)
  }

  @Test func refusesHeadThatDoesNotFit() {
    let file = HeadFile(outputs: [.table(30, 6, [:])])
    #expect(
      throws: VisionError.unsuitable(.detectorHead(.yolov8, outputs: [Shape(1, 30, 6)]))
    ) { try file.objects(head: .yolov8) }
  }

  @Test func refusesGivenHeadThatOnlyTheShapeFits() throws {
    let raw = HeadFile(outputs: [
      .table(Self.cells, 85, Self.yolox(21, [-1, 0, 0, 0, 1, 0, 0.5]))
    ])
    for head in [DetectorHead.yolov8, .yoloxDecoded] {
      #expect(throws: VisionError.unsuitable(.otherHead(head, fitting: [.yolox]))) {
        try raw.objects(head: head)
      }
    }
    #expect(try raw.objects(head: .yolox).count == 1)
    // Logits of distances are no scores.
    let nanoDet = HeadFile(outputs: [
      .table(Self.cells, 34, [21: [0.75, 0] + Self.bins([1, 2, 3, 4])])
    ])
    for head in [DetectorHead.yolov8, .yolox, .yoloxDecoded] {
      #expect(throws: VisionError.unsuitable(.otherHead(head, fitting: [.nanoDet]))) {
        try nanoDet.objects(head: head)
      }
    }
  }

  @Test func readingsThatRemainAreNamed() {
    // Boxes and scores of any of these heads.
    let rows = [3: [32, 32, 16, 8, 0.5, 0.5, 0.5, 0.5] as [Float], 4: [60]]
    let file = HeadFile(outputs: [.table(Self.cells, 9, rows)])
    #expect(throws: VisionError.unsuitable(.detectorHeads([.yolov8, .yoloxDecoded]))) {
      try file.objects()
    }
    #expect(throws: Never.self) { try file.objects(labels: ["a", "b", "c", "d", "e"]) }
  }

  @Test func detectorIsNoClassifier() {
    let file = HeadFile(outputs: [.table(Self.cells, 6, isTransposed: true, [:])])
    #expect(throws: VisionError.unsuitable(.classifier(.yolov8))) {
      try Classifier(ModelFile(file.bytes), lock: .none)
    }
  }

  @Test(arguments: [
    ("metadata.json", #"{"task":"detect","names":{"0":"cat","1":"dog"},"stride":32}"#),
    ("temp_meta.txt", #"{'stride': 32, 'names': {0: 'cat', 1: "dog"}, 'half': False}"#),
    ("temp_meta.txt", #"{'names': ['cat', 'dog'], 'imgsz': (64, 64), 'x': None}"#),
  ])
  func namesComeFromTheExporter(_ name: String, _ text: String) throws {
    let file = HeadFile(
      outputs: [
        .table(
          Self.cells, 6, isTransposed: true, [3: [0.5, 0.5, 0.25, 0.125, 0.1, 0.75]])
      ], files: [name: text])
    #expect(try file.objects().map(\.labels[0].text) == ["dog"])
    #expect(try file.objects(labels: ["a", "b"]).map(\.labels[0].text) == ["b"])
    #expect(
      throws: VisionError.unsuitable(.labelCount(tensor: "output 0", found: 1, classes: 2))
    ) { try file.objects(head: .yolov8, labels: ["a"]) }
  }

  /// An archive of Python's `zipfile` with compression: metadata.json with the names cat and dog.
  @Test func namesComeFromCompressedMetadata() throws {
    let archive = try #require(
      Data(
        base64Encoded: """
          UEsDBBQAAAAIAAAAIVCDhRsEPQAAAFcAAAANAAAAbWV0YWRhdGEuanNvbqtWKkkszlayUkpJLUlNLlHSUcpLzE0tVrKqVj\
          IAiiYngoQMQfL56Uq1OkBlxclFmQUlmfl5EEEFLFipFgBQSwECFAMUAAAACAAAACFQg4UbBD0AAABXAAAADQAAAAAAAAAA\
          AAAAgAEAAAAAbWV0YWRhdGEuanNvblBLBQYAAAAAAQABADsAAABoAAAAAAA=
          """))
    var file = HeadFile(outputs: [
      .table(Self.cells, 6, isTransposed: true, [3: [0.5, 0.5, 0.25, 0.125, 0.1, 0.75]])
    ])
    file.archive = Array(archive)
    #expect(try file.objects().map(\.labels[0].text) == ["dog"])
    // A changed byte of the stream.
    file.archive[50] ^= 0x55
    #expect(throws: VisionError.self) { try file.objects() }
  }

  @Test func suppressesOverlapsOfAClass() throws {
    // The first two overlap by 3/5, the third is of another class.
    let rows: [Int: [Float]] = [
      1: [0.5, 0.5, 0.4, 0.4, 0.9, 0], 2: [0.6, 0.5, 0.4, 0.4, 0.8, 0],
      3: [0.5, 0.5, 0.4, 0.4, 0, 0.7],
    ]
    let file = HeadFile(outputs: [.table(Self.cells, 6, isTransposed: true, rows)])
    #expect(try file.objects().map(\.score) == [0.9, 0.8, 0.7])
    #expect(try file.objects(overlap: 0.5).map(\.score) == [0.9, 0.7])
    #expect(try file.objects(overlap: 0.5, least: 0.75).map(\.score) == [0.9])
  }

  /// Eight cells are read at once; the last four of 84 one by one.
  @Test(arguments: [0, 7, 8, 41, 79, 80, 83], [ElementType.float32, .int8, .uint8])
  func findsTheOnlyObjectInAnyCell(_ cell: Int, _ type: ElementType) throws {
    var output = Output.table(
      Self.cells, 6, isTransposed: true, [cell: [0.5, 0.5, 0.25, 0.125, 0.125, 0.75]])
    if type != .float32 {
      output = output.quantized(type, scale: 1.0 / 128, zeroPoint: type == .int8 ? -128 : 0)
    }
    let objects = try HeadFile(outputs: [output]).objects()
    #expect(objects.map(\.score) == [0.75] && objects.map(\.labels[0].index) == [1])
  }

  @Test(arguments: [0, 41, 83], [Float.nan, -.infinity])
  func scoreThatIsNoNumberIsFoundInAnyCell(_ cell: Int, _ number: Float) {
    let file = HeadFile(outputs: [
      .table(Self.cells, 6, isTransposed: true, [cell: [0.5, 0.5, 0.25, 0.125, number, number]])
    ])
    #expect(throws: VisionError.self) { try file.objects() }
  }

  @Test func valuesThatAreNoNumbersAreNamedOrDropped() throws {
    func file(_ numbers: [Float]) -> HeadFile {
      HeadFile(outputs: [
        .table(
          Self.cells, 6, isTransposed: true, [3: numbers, 5: [0.5, 0.5, 0.25, 0.125, 0.5, 0]])
      ])
    }
    for number in [Float.nan, .infinity] {
      #expect(try file([0.5, 0.5, number, 0.1, 0.9, 0]).objects().map(\.score) == [0.5])
      #expect(throws: VisionError.self) { try file([0.5, 0.5, 0.1, 0.1, 0.9, number]).objects() }
    }
    #expect(
      throws: VisionError.unsuitable(.score(tensor: "output 0", box: 3, label: 1, found: 37))
    ) { try file([0.5, 0.5, 0.1, 0.1, 0.9, 37]).objects() }
  }
}
