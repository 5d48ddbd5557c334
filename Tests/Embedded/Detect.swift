//===--- Detect.swift - object detection without an operating system ------===//
//
// Detects and classifies the objects of the JPEG on standard input, in Embedded Swift. For each it
// prints the part of the tool's JSON from its box to its category. `.ci/check/embedded-detection`
// compares the two outputs.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletVision

/// `value`, which is not negative, with at most `places` decimals, rounded as the tool does.
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
    guard let file = try? ImageFile(decoding: input()) else { return output("no image") }
    do throws(VisionError) {
      let finder = try ObjectFinder(classifier: try Classifier(lock: .none), lock: .none)
      for object in try finder.objects(in: file.upright, limit: 5) { output(object.words) }
    } catch { output(error.description) }
  }
}
