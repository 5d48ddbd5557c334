//===--- FaceMesh+Contours.swift - the 133 contour points of a mesh -------===//
//
// Source    The vertex lists follow MediaPipe's edges of outline, brows, eyes and lips; their
//           counts are those of ML Kit's contours. No source defines the order inside brows and
//           `noseBottom`, nor the lower end of `noseBridge`.
//===----------------------------------------------------------------------===//

package import MartletImage

extension FaceMesh {
  /// The points of a contour, in ML Kit's order.
  package func contour(_ type: FaceContourType) -> [Point] {
    FaceMesh.vertices(of: type).map { place($0) }
  }

  /// The vertices of a contour. Lips and brows run from left to right in the image.
  package static func vertices(of type: FaceContourType) -> [Int] {
    switch type {
    case .face:
      [
        10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
        152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
      ]
    case .leftEyebrowTop: [336, 296, 334, 293, 300]
    case .leftEyebrowBottom: [285, 295, 282, 283, 276]
    case .rightEyebrowTop: [70, 63, 105, 66, 107]
    case .rightEyebrowBottom: [46, 53, 52, 65, 55]
    case .leftEye:
      [362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382]
    case .rightEye:
      [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7]
    case .upperLipTop: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291]
    case .upperLipBottom: [191, 80, 81, 82, 13, 312, 311, 310, 415]
    case .lowerLipTop: [95, 88, 178, 87, 14, 317, 402, 318, 324]
    case .lowerLipBottom: [146, 91, 181, 84, 17, 314, 405, 321, 375]
    case .noseBridge: [168, 1]
    case .noseBottom: [2, 98, 327]
    case .leftCheek: [425]
    case .rightCheek: [205]
    }
  }
}
