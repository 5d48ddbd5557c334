//===--- Detect.swift - object detection without an operating system ------===//
//
// Detects and classifies the objects of the JPEG on standard input, in Embedded Swift. For each it
// prints the part of the tool's JSON from its box to its category. `.ci/check/embedded-detection`
// compares the two outputs.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletVision

@main
struct Detect {
  static func main() {
    guard let file = try? ImageFile(decoding: input()) else { return output("no image") }
    do throws(VisionError) {
      let finder = try ObjectFinder(.init(limit: 5, labels: .coarse()), lock: .none)
      for object in try finder.objects(in: file.upright) { output(object.text) }
    } catch { output(error.description) }
  }
}
