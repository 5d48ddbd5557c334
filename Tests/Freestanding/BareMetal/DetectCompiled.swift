//===--- DetectCompiled.swift - object detection on a microcontroller -----===//
//
// Detects and classifies the objects of a built-in JPEG, the scene fruit.jpg at half its size, with
// compiled networks, and prints them as the tool does. JPEG and weights are read from flash.
//
// JPEG ▶ pixels ▶ localizer ▶ boxes ▶ classifier, on each box
//
// Contract  No interpreter: codec, resizing, decoding and suppression of boxes are the library's.
//           The check generates `LocalizerNetwork` and `ClassifierNetwork`.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCompiled
import MartletVision

@_extern(c, "model_start") private func modelStart()
@_extern(c, "startClock") private func startClock()
@_extern(c, "nanoseconds") private func nanoseconds() -> UInt32

/// The weights of the localizer.
private var localizerWeights: UnsafeRawPointer {
  unsafeBitCast(modelStart as @convention(c) () -> Void, to: UnsafeRawPointer.self)
}

/// The weights of the classifier: the next file, which the linker aligns to eight bytes.
private var classifierWeights: UnsafeRawPointer {
  (localizerWeights + LocalizerNetwork.weightsByteCount).alignedUp(toMultipleOf: 8)
}

/// The lowest score of a category, from the classifier's metadata.
private let threshold: Float = 0.35

/// Calls `body` with memory for a run of a network.
private func withArena(_ byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
  let arena = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
  body(arena)
  arena.deallocate()
}

/// An output of the localizer, and one level of it as real numbers.
private struct Output {
  let tensor: CompiledTensor<4>
  var elements: [UInt8]

  init(_ tensor: CompiledTensor<4>) {
    self.tensor = tensor
    elements = [UInt8](repeating: 0, count: tensor.count)
  }

  var reals: [Float] { elements.map { tensor.real($0) } }

  func level(boxes: Output) -> SaliencyMap? {
    SaliencyMap(
      width: tensor.shape[2], height: tensor.shape[1], logits: reals, boxes: boxes.reals)
  }
}

/// The levels of the localizer's output on an image of its input's size.
private func levels(_ image: RGBImage) -> [SaliencyMap] {
  typealias Network = LocalizerNetwork
  var (objects24, boxes24) = (Output(Network.objects24), Output(Network.boxes24))
  var (objects12, boxes12) = (Output(Network.objects12), Output(Network.boxes12))
  var (objects6, boxes6) = (Output(Network.objects6), Output(Network.boxes6))
  var (objects3, boxes3) = (Output(Network.objects3), Output(Network.boxes3))
  withArena(Network.arenaByteCount) { arena in
    Network(weights: localizerWeights, arena: arena)(
      image: image.pixels, objects24: &objects24.elements, boxes24: &boxes24.elements,
      objects12: &objects12.elements, boxes12: &boxes12.elements, objects6: &objects6.elements,
      boxes6: &boxes6.elements, objects3: &objects3.elements, boxes3: &boxes3.elements)
  }
  return [(objects24, boxes24), (objects12, boxes12), (objects6, boxes6), (objects3, boxes3)]
    .compactMap { $0.level(boxes: $1) }
}

/// The five most salient objects.
private func boxes(_ levels: [SaliencyMap], in size: ImageSize) -> [DetectedObject] {
  let parameters = DetectionParameters()
  let candidates = levels.objects(
    in: size, minimumScore: parameters.minimumScore, limit: parameters.candidates)
  return parameters.selected(
    candidates, in: size, limit: 5, least: ReportingRules.minimumScore, rules: ReportingRules())
}

/// The category of an image of the classifier's input size.
private func category(_ image: RGBImage) -> CoarseCategory {
  typealias Network = ClassifierNetwork
  var scores = [UInt8](repeating: 0, count: Network.scores.count)
  withArena(Network.arenaByteCount) { arena in
    Network(weights: classifierWeights, arena: arena)(
      image: image.pixels, scores: &scores)
  }
  return CoarseCategory(scores: scores.map { Network.scores.real($0) }, threshold: threshold)
}

/// The image, or the part of it inside `box`, in the size of a network's input.
private func resized(
  _ image: RGBImage, _ box: Box? = nil, for input: CompiledTensor<4>
) throws(ImageError) -> RGBImage {
  let size = ImageSize(width: input.shape[2], height: input.shape[1])
  guard let box else { return try image.resized(to: size) }
  return try image.resized(
    from: box.clipped(toWidth: Float(image.width), height: Float(image.height)), to: size)
}

/// Returns the result of a step, and reports how many instructions it executed.
private func step<Result, Failure: Error>(
  _ name: StaticString, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  startClock()
  let result = try body()
  print("\(name): \(nanoseconds()) instructions")
  return result
}

private func decodedImage() throws(ImageError) -> RGBImage? {
  guard let raster = try? step("JPEG", { () throws(JPEGError) in try JPEG.decode(input()) }),
    raster.channels == 3
  else { return nil }
  return try RGBImage(width: raster.width, height: raster.height, pixels: raster.samples)
}

private func detect() throws(ImageError) {
  guard let image = try decodedImage() else { return output("no image") }
  let input = try step("resizing") { () throws(ImageError) in
    try resized(image, for: LocalizerNetwork.image)
  }
  let maps = step("localizer") { levels(input) }
  let objects = step("boxes") { boxes(maps, in: image.size) }
  for var object in objects {
    object.category = try step("classifier") { () throws(ImageError) in
      category(try resized(image, object.frame, for: ClassifierNetwork.image))
    }
    output(object.text)
  }
}

@main
struct DetectCompiled {
  static func main() {
    do throws(ImageError) { try detect() } catch { output(error.description) }
  }
}
