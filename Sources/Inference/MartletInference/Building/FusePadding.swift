//===--- FusePadding.swift - fused zero padding ---------------------------===//
//
// Converters write explicit zero padding as PAD followed by a VALID convolution. If the convolution
// is PAD's only reader and the amounts are those of SAME padding, it gets the unpadded input and
// SAME.
//
// Contract  Exact: PAD adds zeros (the zero point, for integers), and SAME padding omits those
//           terms of the sum, each of which is zero. The amounts depend on the input's extents, so
//           this is decided when they are known.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension Graph {
  /// If the PAD at `position` can be merged into the following convolution, returns that
  /// convolution's position and its new operation.
  func fusedPadding(
    at position: Int, consumers: [[Int]], tensors: TensorTable
  ) -> (position: Int, operation: Operator)? {
    let pad = nodes[position].operation
    let infos = tensors.infos
    guard pad.inputs.count == 2, pad.outputs.count == 1,
      let output = pad.outputs.first, consumers[output].count == 1,
      let reader = consumers[output].first,
      nodes.indices.contains(reader), nodes[reader].operation.inputs.first == output,
      let amounts = paddings(pad.inputs[1], tensors),
      pad.inputs[0] >= 0, infos[pad.inputs[0]].shape.rank == 4,
      infos[pad.inputs[0]].type == infos[output].type,
      infos[pad.inputs[0]].quantization == infos[output].quantization
    else { return nil }
    var operation = nodes[reader].operation
    guard operation.inputs.count > 1, operation.inputs[1] >= 0,
      infos[operation.inputs[1]].shape.rank == 4, nodes[reader].traits.isFusible,
      let same = operation.options.samePadding(infos[operation.inputs[1]].shape)
    else { return nil }
    let shape = infos[pad.inputs[0]].shape
    guard let (top, bottom) = same.vertical.padding(shape[1]),
      let (left, right) = same.horizontal.padding(shape[2]),
      amounts == [0, 0, top, bottom, left, right, 0, 0]
    else { return nil }
    operation.inputs[0] = pad.inputs[0]
    operation.options = same.options
    return (reader, operation)
  }

  private func paddings(_ tensor: Int, _ tensors: TensorTable) -> [Int]? {
    guard tensor >= 0, tensors.infos[tensor].type == .int32,
      tensors.infos[tensor].shape == Shape(4, 2), let memory = unsafe tensors.known(tensor)
    else { return nil }
    // Eight numbers, by the type and shape.
    return (0..<8).map { unsafe Int(memory.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) }
  }
}
