//===--- TrackedVideo.swift - results of tracking in a rendered video ------===//
//
// The tool's lines of JSON about the video `Tests/Fixtures/Videos/table.mjpeg`: of up to five objects, of the
// most prominent one, and of three user-provided boxes. Also compiled without an operating system, for
// `.ci/check/arm64` and `.ci/check/wasm`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletImage
import MartletVision

/// The boxes of apple, mug and orange in the first frame.
let startBoxes = [
  Box(x: 0, y: 104, width: 48, height: 46), Box(x: 188, y: 54, width: 58, height: 57),
  Box(x: 201, y: 123, width: 50, height: 47),
]

/// The lines about all frames, once for each way of tracking.
func trackedLines(
  of video: [UInt8], options: Interpreter.Options = .init()
) throws(VisionError) -> [String] {
  var lines: [String] = []
  for (limit, boxes) in [(5, []), (1, []), (1, startBoxes)] {
    let stream = try ObjectStream(.init(limit: limit), execution: options, lock: .none)
    var reader = MJPEGReader(ByteSource(video))
    var number = 0
    while let frame = try? reader.next() {
      let objects =
        if boxes.isEmpty {
          try stream.objects(in: frame)
        } else if number == 0 {
          try stream.begin(with: boxes, in: frame)
        } else {
          try stream.trackedObjects(in: frame)
        }
      let line = JSON.line(of: "table.mjpeg#\(number)", frame: number, frame.size, objects)
      lines.append(line.description)
      number += 1
    }
  }
  return lines
}
