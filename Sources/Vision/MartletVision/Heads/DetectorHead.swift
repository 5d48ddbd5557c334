//===--- DetectorHead.swift - kinds of detector outputs -------------------===//
//
// Each kind has a file of its own in this folder. This one registers them: a new kind is a case and
// a line in `reading`.
//
// Contract  The order of cases is that in which readings are listed.
//===----------------------------------------------------------------------===//

/// What the outputs of a custom detector mean.
///
/// A detector recognizes its head from the file: custom operators, metadata, shapes and
/// quantization. ``ObjectConfiguration/detectorHead`` overrides this.
@nonexhaustive
public enum DetectorHead: String, Sendable, Hashable, CaseIterable {
  /// The four outputs of `TFLite_Detection_PostProcess`.
  case postProcess = "postprocess"
  /// YOLOv8, v9, 11 and 12: [1, 4 + classes, cells]. Of segmentation, pose and oriented boxes the
  /// boxes are read.
  case yolov8
  /// YOLOv5 and v7: [1, 3 · cells, 5 + classes].
  case yolov5
  /// YOLOv10, 26 and exports with suppression: [1, boxes, 6].
  case endToEnd = "end-to-end"
  /// YOLOX: [1, cells, 5 + classes] in units of cells.
  case yolox
  /// YOLOX and YOLOv6 with decoded boxes: [1, cells, 5 + classes] in pixels.
  case yoloxDecoded = "yolox-decoded"
  /// NanoDet: [1, cells, classes + 32], centers in the middle of cells.
  case nanoDet = "nanodet"
  /// NanoDet-Plus: a fourth level, centers in the corner of cells.
  case nanoDetPlus = "nanodet-plus"
  /// PicoDet: a fourth level, centers in the middle of cells.
  case picoDet = "picodet"
  /// MediaPipe Model Maker: [1, anchors, 4] and [1, anchors, classes], with anchors in the metadata.
  case mediaPipe = "mediapipe"
  /// BlazeFace: 896 anchors with 16 numbers and a score.
  case blazeFace = "blazeface"
  /// FOMO of Edge Impulse: [1, height / 8, width / 8, 1 + classes].
  case fomo
  /// YOLOv2, v3 and v4 with ``ObjectConfiguration/anchors``: [1, rows, columns, anchors · (5 + classes)]
  /// for each grid.
  case grid
}

extension DetectorHead {
  /// How the outputs are read as this head; `nil` if they cannot be.
  func reading(_ evidence: HeadEvidence) throws(VisionError) -> HeadReading? {
    switch self {
    case .postProcess: try HeadReading(self, PostProcessHead(evidence), evidence)
    case .yolov8: try HeadReading(self, YOLOv8Head(evidence), evidence)
    case .yolov5: try HeadReading(self, YOLOv5Head(evidence), evidence)
    case .endToEnd: try HeadReading(self, EndToEndHead(evidence), evidence)
    case .yolox: try HeadReading(self, YOLOXHead(evidence, isDecoded: false), evidence)
    case .yoloxDecoded: try HeadReading(self, YOLOXHead(evidence, isDecoded: true), evidence)
    case .nanoDet, .nanoDetPlus, .picoDet:
      try HeadReading(self, NanoDetHead(evidence, self), evidence)
    case .mediaPipe: try HeadReading(self, MediaPipeHead(evidence), evidence)
    case .blazeFace: try HeadReading(self, BlazeFaceHead(evidence), evidence)
    case .fomo: try HeadReading(self, FOMOHead(evidence), evidence)
    case .grid: try HeadReading(self, GridHead(evidence), evidence)
    }
  }
}
