//===--- Registry+MediaPipe.swift - operators of MediaPipe's models -------===//
//
// Custom operators that MediaPipe's segmentation and face models bring with them. Their rooms are in
// `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let mediaPipeOperators: [Registration] = [
    .transposeConvWithBias, .maxPoolWithArgmax, .maxUnpool, .liteRTMaxUnpool,
    .transformLandmarks, .transformTensor, .landmarkCrop,
  ]
}
