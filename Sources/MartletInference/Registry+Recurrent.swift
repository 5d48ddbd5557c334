//===--- Registry+Recurrent.swift - operators with a memory, and matrices -===//
//
// Products of matrices, recurrent cells, and convolution over volumes. Their rooms are in
// `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let recurrentOperators: [Registration] = [
    .batchMatMul, .lstm, .unidirectionalSequenceLSTM, .svdf, .conv3D, .conv3DTranspose,
  ]
}
