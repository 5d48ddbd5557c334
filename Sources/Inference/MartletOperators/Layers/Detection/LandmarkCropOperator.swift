//===--- LandmarkCropOperator.swift - Landmarks2TransformMatrix -----------===//
//
// Inputs   0 landmarks: [1, landmarks, 3], float32.
// Output   0 matrix: [1, 4, 4], float32.
// Options  A FlexBuffer: subset_idxs, left_rotation_idx, right_rotation_idx,
//          target_rotation_radians, output_height, output_width, scale_x, scale_y.
// Source   MediaPipe `landmarks_to_transform_matrix.cc`, version 2.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let landmarkCrop = Registration(.custom("Landmarks2TransformMatrix"), versions: 2...2) {
    p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let shape = try p.shape(ofInput: 0, ranks: 3...3)
    try p.expect(shape, ofInput: 0, axis: 0, extent: 1)
    try p.expect(shape, ofInput: 0, axis: 2, extent: 3)
    let crop = try p.landmarkCrop(try p.customOptions(), landmarks: shape[1])
    let landmarks = try p.input(0, as: Float.self)
    let matrix = try p.output(0, as: Float.self, shape: Shape(1, 4, 4))
    return { e in Reference.landmarkMatrix(e[landmarks], crop, into: e[matrix]) }
  }
}

extension Preparation {
  fileprivate func landmarkCrop(
    _ options: FlexBuffer, landmarks: Int
  ) throws(InferenceError) -> LandmarkCrop {
    guard case .vector(let values) = options["subset_idxs"], !values.isEmpty else {
      throw .options(node: node)
    }
    var subset: [Int] = []
    for value in values { subset.append(try landmark("subset_idxs", value, of: landmarks)) }
    let angle = options["target_rotation_radians"]?.floatValue ?? 0
    guard angle.isFinite else {
      throw .option(node: node, name: "target_rotation_radians", value: Int.max)
    }
    return LandmarkCrop(
      subset: subset,
      left: try landmark("left_rotation_idx", options["left_rotation_idx"], of: landmarks),
      right: try landmark("right_rotation_idx", options["right_rotation_idx"], of: landmarks),
      targetAngle: angle, width: try extent(options, "output_width"),
      height: try extent(options, "output_height"), scaleX: try scale(options, "scale_x"),
      scaleY: try scale(options, "scale_y"))
  }

  /// The index of one of `count` landmarks.
  private func landmark(
    _ name: String, _ value: FlexBuffer?, of count: Int
  ) throws(InferenceError) -> Int {
    let index = value?.intValue ?? 0
    guard index >= 0, index < count else { throw .option(node: node, name: name, value: index) }
    return index
  }

  private func scale(_ options: FlexBuffer, _ name: String) throws(InferenceError) -> Float {
    let value = options[name]?.floatValue ?? 0
    guard value > 0, value.isFinite else { throw .option(node: node, name: name, value: 0) }
    return value
  }
}
