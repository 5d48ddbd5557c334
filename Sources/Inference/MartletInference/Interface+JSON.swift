//===--- Interface+JSON.swift - inputs and outputs as JSON ----------------===//
//
// The form in which the tool and the C library describe the tensors of a model.
//===----------------------------------------------------------------------===//

import MartletBase

extension InterfaceTensor {
  /// Name, shape, type and quantization.
  package var json: JSON {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("shape", .array(shape.dimensions.map { .integer($0) })),
      ("type", .string("\(type)")),
    ]
    if let quantization { members.append(("quantization", quantization.json)) }
    return .object(members)
  }
}

extension Quantization {
  /// Scales, zero points and their axis.
  package var json: JSON {
    .object([
      ("scales", .array(scales.map { .float($0) })),
      ("zeroPoints", .array(zeroPoints.map { .integer($0) })),
      ("axis", .integer(axis)),
    ])
  }
}
