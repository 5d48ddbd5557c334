//===--- ModelMutator.swift - mutates models and recipes ------------------===//
//
// The mutations of the targets `models` and `compile`.
//===----------------------------------------------------------------------===//

@_silgen_name("LLVMFuzzerMutate")
private func libraryMutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int
) -> Int

/// Mutates one input in place and returns its size.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  if let recipe = Recipe(bytes) {
    // One recipe in sixteen is replaced with the model that it describes, which is then mutated as
    // a model.
    guard random.next() % 16 == 0 else { return libraryMutate(data, size, capacity) }
    let model = GraphWriter.model(recipe)
    guard model.count <= capacity else { return size }
    data.update(from: model, count: model.count)
    return model.count
  }
  switch random.next() % 64 {
  case 0...7: return libraryMutate(data, size, capacity)
  case 8:
    let count = min(capacity, 16 + Int(random.next() % 400))
    for index in 0..<count { data[index] = UInt8(truncatingIfNeeded: random.next()) }
    data[0] = Recipe.mark
    return count
  default: break
  }
  var mutated = MutableModel(bytes)
  guard mutated.mutate(with: &random) else { return libraryMutate(data, size, capacity) }
  data.update(from: mutated.bytes, count: size)
  return size
}
