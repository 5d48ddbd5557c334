//===--- ResponseFuzzer.swift - fuzzes fields of HTTP responses -----------===//
//
// A libFuzzer target: the fields that this package parses; Foundation reads the rest of a response.
//
// Oracles   No trap, no access outside the memory, no hang. A range is not empty and within the
//           file.
// Run       .ci/fuzz responses
//===----------------------------------------------------------------------===//

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  if let range = ContentRange(text), let bytes = range.bytes,
    bytes.isEmpty || bytes.lowerBound < 0 || bytes.upperBound > range.size ?? Int.max
  {
    fatalError("\(text) is the part \(bytes) of \(range.size ?? -1) bytes")
  }
  _ = HTTPDate.seconds(of: text, now: 1_750_000_000)
  return 0
}
