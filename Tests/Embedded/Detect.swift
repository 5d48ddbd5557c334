//===--- Detect.swift - the core of detection without a system below ------===//
//
// Finds and names the objects of the JPEG on standard input, in Embedded Swift, and prints for each the
// part of the tool's JSON from its box to its category. `.ci/check-embedded-detection` compares the two.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletVision

@_silgen_name("read")
private func read(_ file: Int32, _ place: UnsafeMutableRawPointer, _ count: Int) -> Int
@_silgen_name("write")
private func write(_ file: Int32, _ place: UnsafeRawPointer, _ count: Int) -> Int

/// All of standard input.
private func input() -> [UInt8] {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = piece.withUnsafeMutableBytes { memory in
      memory.baseAddress.map { read(0, $0, memory.count) } ?? 0
    }
    guard count > 0 else { return bytes }
    bytes += piece[..<count]
  }
}

/// Writes a line to standard output.
private func output(_ line: String) {
  Array((line + "\n").utf8).withUnsafeBytes { memory in
    if let start = memory.baseAddress { _ = write(1, start, memory.count) }
  }
}

/// `value`, not negative, with at most `places` decimals, rounded as the tool does.
private func decimal(_ value: Float, _ places: Int) -> String {
  var factor = 1
  for _ in 0..<places { factor *= 10 }
  let (whole, rest) = Int((Double(value) * Double(factor)).rounded())
    .quotientAndRemainder(dividingBy: factor)
  var digits = String(rest)
  digits = String(repeating: "0", count: places - digits.utf8.count) + digits
  while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
  return String(whole) + (digits.isEmpty ? "" : "." + digits)
}

extension DetectedObject {
  fileprivate var words: String {
    var text = #"{"x":"# + decimal(frame.x, 2) + #","y":"# + decimal(frame.y, 2)
    text += #","width":"# + decimal(frame.width, 2) + #","height":"# + decimal(frame.height, 2)
    text += #"},"score":"# + decimal(score, 4) + #","trackingID":null,"category":""#
    return text + (category?.name ?? "") + "\""
  }
}

@main
struct Detect {
  static func main() {
    guard let file = try? ImageFile(decoding: input()) else { return output("no picture") }
    do throws(VisionError) {
      let finder = try ObjectFinder(classifier: try Classifier(lock: .none), lock: .none)
      for object in try finder.objects(in: file.upright, limit: 5) { output(object.words) }
    } catch { output(error.description) }
  }
}
