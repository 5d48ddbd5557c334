//===--- ImageModel.swift - a network that looks at pictures --------------===//
//
// An interpreter whose one input is an RGB picture: brings a part of a picture to the network's
// size and number type, runs it, and gives the outputs as real numbers.
//
// Contract  Stretches, without keeping proportions, as ML Kit does. uint8 inputs get pixels as they
//           are, int8 inputs pixels less 128, float inputs what the metadata's normalisation asks.
// Cost      A resize of the part, and the network. Not for use from several tasks at once.
// Checked   Tests/MartletTests/ClassifierTests.swift, Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

/// A network with one picture as its input.
final class ImageModel {
  let interpreter: Interpreter
  let metadata: ModelMetadata?
  private let inputSize: ImageSize
  private let normalization: MartletImage.Normalization?

  init(bytes: [UInt8], options: Interpreter.Options) throws(VisionError) {
    let model: Model
    do throws(ModelError) { model = try Model(bytes: bytes) } catch { throw .model(error) }
    do throws(MetadataError) {
      metadata = try model.readMetadata()
    } catch { throw .metadata(error) }
    do throws(InferenceError) {
      interpreter = try Interpreter(model: model, options: options)
    } catch { throw .inference(error) }
    let inputs = interpreter.inputs
    guard inputs.count == 1, let input = inputs.first else {
      throw .unsuitable(.inputCount(found: inputs.count))
    }
    let shape = input.shape
    guard shape.rank == 4, shape[0] == 1, shape[1] > 0, shape[2] > 0, shape[3] == 3 else {
      throw .unsuitable(.inputShape(found: shape))
    }
    try ImageModel.check(metadata?.subgraphs.first?.inputs)
    inputSize = ImageSize(width: shape[2], height: shape[1])
    switch input.type {
    case .uint8, .int8: normalization = nil
    case .float32:
      normalization = try ImageModel.normalization(metadata?.subgraphs.first?.inputs.first)
    default: throw .unsuitable(.inputType(found: input.type))
    }
  }

  /// Throws unless what the metadata says of inputs is of one, and that a picture in RGB.
  private static func check(_ inputs: [TensorMetadata]?) throws(VisionError) {
    guard let inputs, !inputs.isEmpty else { return }
    guard inputs.count == 1 else { throw .unsuitable(.inputMetadataCount(found: inputs.count)) }
    switch inputs[0].content {
    case nil, .image(.rgb, _, _): return
    default: throw .unsuitable(.inputContent)
    }
  }

  private static func normalization(
    _ input: TensorMetadata?
  ) throws(VisionError) -> MartletImage.Normalization {
    guard let stated = input?.normalization else { throw .unsuitable(.normalization) }
    do throws(ImageError) {
      return try MartletImage.Normalization(
        mean: stated.means, deviation: stated.standardDeviations)
    } catch { throw .image(error) }
  }

  /// Runs the network on the part of `image` inside `box`; what lies outside of the image is cut.
  func run(on image: RGBImage, in box: Box) throws(VisionError) {
    var box = box.clipped(toWidth: Float(image.width), height: Float(image.height))
    // Left edge plus width may round to just past the image.
    while box.maxX > Float(image.width) { box.width = box.width.nextDown }
    while box.maxY > Float(image.height) { box.height = box.height.nextDown }
    do throws(ImageError) {
      let input = try image.resized(from: box, to: inputSize)
      try fill(with: input)
    } catch { throw .image(error) }
    do throws(InferenceError) { try interpreter.invoke() } catch { throw .inference(error) }
  }

  private func fill(with image: RGBImage) throws(ImageError) {
    let result: Result<Void, ImageError>? = try? interpreter.withInput(0) { memory in
      do throws(ImageError) {
        if let normalization {
          try image.normalize(normalization, into: memory.bindMemory(to: Float.self))
        } else if interpreter.inputs[0].type == .int8 {
          try image.copySigned(into: memory.bindMemory(to: Int8.self))
        } else {
          try image.copy(into: memory.bindMemory(to: UInt8.self))
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result?.get()
  }

  /// Throws unless the elements of an output stand for real numbers.
  static func checkReal(_ output: InterfaceTensor) throws(VisionError) {
    switch output.type {
    case .float32: return
    case .uint8, .int8:
      guard output.quantization != nil else { throw .unsuitable(.outputQuantization) }
    default: throw .unsuitable(.outputType(found: output.type))
    }
  }

  /// The elements of output `index` as real numbers.
  func realOutput(_ index: Int) throws(VisionError) -> [Float] {
    let outputs = interpreter.outputs
    guard outputs.indices.contains(index) else {
      throw .unsuitable(.outputCount(found: outputs.count))
    }
    let output = outputs[index]
    try ImageModel.checkReal(output)
    let bytes: [UInt8]
    do throws(InferenceError) {
      bytes = try interpreter.output(index)
    } catch { throw .inference(error) }
    if output.type == .float32 {
      return bytes.withUnsafeBytes { memory in
        (0..<output.shape.elementCount).map {
          memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
        }
      }
    }
    guard let map = output.quantization else { throw .unsuitable(.outputQuantization) }
    return bytes.map { byte in
      let q = output.type == .int8 ? Int(Int8(bitPattern: byte)) : Int(byte)
      return map.scale * Float(q - map.zeroPoint)
    }
  }
}
