//===--- UndecodedOutputs.swift - outputs that lack their anchors ---------===//
//
// Forms of a detector's outputs that are known, but whose boxes cannot be computed from the file.
//
// Contract  Networks of points, masks and depth, whose outputs are grids too, are no detectors.
//===----------------------------------------------------------------------===//

/// Outputs of a detector whose boxes cannot be computed from the file.
@nonexhaustive
public enum UndecodedOutputs: Sendable, Hashable {
  /// Grids of YOLOv2, v3 or v4, whose anchors ``ObjectConfiguration/anchors`` gives.
  case grids
  /// Grids of YOLOv8 and its successors before boxes are computed.
  case distances
  /// Boxes and scores of an SSD, relative to anchors that are not in the file.
  case ssd
  /// Boxes with points and a score, relative to anchors that are not in the file, as of MediaPipe's
  /// detectors of palms and poses.
  case boxesWithPoints
}

extension UndecodedOutputs: CustomStringConvertible {
  /// The form and what to do, as the end of a sentence.
  public var description: String {
    switch self {
    case .grids:
      "YOLOv2, v3 or v4 grids, whose anchors are not in the file; give them with the option anchors"
    case .distances: "YOLOv8 grids before their decoding; export the model with decoded boxes"
    case .ssd:
      """
      SSD boxes and scores, whose anchors are not in the file; export the model with \
      TFLite_Detection_PostProcess or with MediaPipe's metadata
      """
    case .boxesWithPoints:
      """
      boxes with points, as of MediaPipe's palm and pose detectors, whose anchors are not in the file; \
      of these detectors only BlazeFace is read
      """
    }
  }
}

extension HeadEvidence {
  /// The form of the outputs, if it is one of these.
  var undecodedOutputs: UndecodedOutputs? {
    let shapes = outputs.map { $0.shape }
    let levels = shapes.compactMap { Level($0, of: image) }
    guard levels.count == shapes.count else { return undecodedRows }
    let strides = Set(levels.map { $0.stride })
    let distances = Set(levels.filter { $0.channels == 64 }.map { $0.stride })
    if distances.count > 1 { return .distances }
    // Each level has a number of channels for the box, objectness and scores of each anchor.
    let channels = levels[0].channels
    if strides.count == levels.count, strides.isSubset(of: [8, 16, 32]),
      levels.allSatisfy({ $0.channels == channels }),
      channels.isMultiple(of: 3) && channels >= 18 || channels.isMultiple(of: 5) && channels >= 30
    {
      return .grids
    }
    // Each level has boxes and scores.
    let isSSD = strides.allSatisfy { stride in
      let channels = levels.filter { $0.stride == stride }.map { $0.channels }
      return channels.count == 2 && channels.contains { $0.isMultiple(of: 4) }
    }
    return strides.count > 1 && isSSD ? .ssd : nil
  }

  /// The form of two outputs with a row for each anchor, if it is one of these.
  private var undecodedRows: UndecodedOutputs? {
    let shapes = outputs.map { $0.shape }
    guard shapes.count == 2, shapes.allSatisfy({ $0.rank == 3 && $0[0] == 1 }),
      shapes[0][1] == shapes[1][1]
    else { return nil }
    let (least, most) = (min(shapes[0][2], shapes[1][2]), max(shapes[0][2], shapes[1][2]))
    if least == 1, most > 4, most.isMultiple(of: 2) { return .boxesWithPoints }
    return shapes.contains { $0[2] == 4 } ? .ssd : nil
  }
}

/// An output with a cell for each square of an image.
private struct Level {
  let stride, channels: Int

  /// `nil` unless the shape is that of a grid with a usual stride, with channels last or first.
  init?(_ shape: Shape, of image: ImageLayout) {
    guard shape.rank == 4, shape[0] == 1 else { return nil }
    for (rows, columns, channels) in [(1, 2, 3), (2, 3, 1)] {
      let stride = [8, 16, 32, 64, 128].first { stride in
        shape[rows] == image.rows(stride: stride) && shape[columns] == image.columns(stride: stride)
      }
      if let stride {
        (self.stride, self.channels) = (stride, shape[channels])
        return
      }
    }
    return nil
  }
}
