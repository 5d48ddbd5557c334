//===--- Track.swift - tracks objects of the video on standard input -------===//

import MartletVision

@main
struct Track {
  static func main() {
    do throws(VisionError) {
      for line in try trackedLines(of: input()) { output(line) }
    } catch { output(error.description) }
  }
}
