//===--- RequestFuzzer.swift - fuzzes HTTP requests -----------------------===//
//
// A libFuzzer target: the head of an HTTP request, handled as a server does.
//
// Oracles   No trap, no access outside the memory, no hang. A path has no step that leaves the
//           folder. The length of an answer's body equals the length in its head.
// Run       .ci/fuzz requests
//===----------------------------------------------------------------------===//

import MartletSystem

private let file = FileAnswer(
  [UInt8](repeating: 7, count: 1000), entityTag: EntityTag(opaque: "a"), modified: 1_700_000_000,
  contentType: "application/octet-stream")

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  let text = String(decoding: bytes, as: UTF8.self)
  examineFields(text)
  guard let request = try? RequestHead(bytes) else { return 0 }
  if let steps = request.steps {
    for step in steps where step.isEmpty || step == "." || step == ".." || step.contains("/") {
      fatalError("the path \(request.path) has the step \(step)")
    }
  }
  for name in ["token", ""] { _ = request.parameter(name) }
  let response = file.response(to: request, now: 1_750_000_000)
  if case .bytes(let body) = response.body, [200, 206].contains(response.status),
    body.isEmpty || body.count > 1000
  {
    fatalError("an answer \(response.status) of \(body.count) bytes")
  }
  return 0
}

/// Parses the text as the value of each supported field.
private func examineFields(_ text: String) {
  for size in [0, 1, 1000, Int.max] {
    if case .part(let range) = ByteRange(text, size: size),
      range.isEmpty || range.lowerBound < 0 || range.upperBound > size
    {
      fatalError("\(text) is the part \(range) of \(size) bytes")
    }
  }
  _ = ContentRange(text)
  _ = EntityTag.list(text)
  _ = HTTPDate.seconds(of: text, now: 1_750_000_000)
}
