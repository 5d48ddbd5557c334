//===--- OpenInputSides.swift - inputs of variable size -------------------===//
//
// For a model that accepts images of any size, a converter writes the shape [1, 1, 1, 3] and the
// signature [1, -1, -1, 3].
//
// Contract  A side is open if its extent is 1 and the signature contains -1. It gets the size of
//           the crop, rounded up. If the longer side exceeds 1,024 pixels, both are reduced in
//           proportion. Other extents than 1 are fixed.
// Source    TFLite Support `image_preprocessor` resizes such an input to the region of interest.
//===----------------------------------------------------------------------===//

/// The sides of a model's input image that adapt to the given image.
package struct OpenInputSides: Sendable, Hashable {
  /// The longest open side, in pixels.
  package static let limit = 1024

  package let height: Bool
  package let width: Bool

  /// Whether the input has a fixed size.
  package var isEmpty: Bool { !height && !width }

  /// The shape for preparing the model before there is an image: 224 pixels per open side, because
  /// one pixel is too small for many graphs. `nil` if no side is open.
  func firstExtents(of model: Model) -> Shape? {
    guard !isEmpty, let graph = model.subgraphs.first, let input = graph.inputs.first else {
      return nil
    }
    let shape = graph.tensors[input].shape
    return Shape(shape[0], height ? 224 : shape[1], width ? 224 : shape[2], shape[3])
  }

  /// Returns the input's size for `part` of an image; `fixed` contains the sides that are not open.
  func size(for part: Box, otherwise fixed: ImageSize) -> ImageSize {
    let limit = Float(OpenInputSides.limit)
    let longer = max(width ? part.width : 0, height ? part.height : 0)
    let scale = min(1, limit / max(longer, 1))
    func pixels(_ side: Float) -> Int {
      let pixels = side * scale
      guard pixels > 1 else { return 1 }
      let whole = Int(min(pixels, limit))
      return Float(whole) < min(pixels, limit) ? whole + 1 : whole
    }
    return ImageSize(
      width: width ? pixels(part.width) : fixed.width,
      height: height ? pixels(part.height) : fixed.height)
  }
}

extension Model {
  /// The open sides of the first input, if it can be an image.
  package var openInputSides: OpenInputSides {
    guard let graph = subgraphs.first, let input = graph.inputs.first else {
      return OpenInputSides(height: false, width: false)
    }
    let tensor = graph.tensors[input]
    func isOpen(_ axis: Int) -> Bool {
      tensor.shape.rank == 4 && tensor.shape[axis] == 1 && tensor.shapeSignature.count == 4
        && tensor.shapeSignature[axis] == -1
    }
    return OpenInputSides(height: isOpen(1), width: isOpen(2))
  }
}
