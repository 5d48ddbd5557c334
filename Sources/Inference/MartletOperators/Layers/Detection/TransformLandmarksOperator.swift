//===--- TransformLandmarksOperator.swift - TransformLandmarks ------------===//
//
// Inputs  0 points: [1, points, 2 or 3], float32
//         1 matrix: 4x4, float32, [1, 4, 4] or of any shape of sixteen elements.
// Output  0 y: of the points' shape, float32.
// Source  MediaPipe `transform_landmarks.cc`, version 2.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension Registration {
  static let transformLandmarks = Registration(.custom("TransformLandmarks"), versions: 2...2) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let shape = try p.shape(ofInput: 0, ranks: 3...3)
    try p.expect(shape, ofInput: 0, axis: 0, extent: 1)
    guard shape[2] == 2 || shape[2] == 3 else {
      throw .extent(node: p.node, operand: .input(0), axis: 2, found: shape[2], expected: 3)
    }
    let points = try p.input(0, as: Float.self)
    let matrix = try p.transformMatrix(1)
    let y = try p.output(0, as: Float.self, shape: shape)
    return { e in
      Reference.transformLandmarks(e[points], dimensions: shape[2], by: e[matrix], into: e[y])
    }
  }
}
