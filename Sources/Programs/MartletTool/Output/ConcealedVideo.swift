//===--- ConcealedVideo.swift - writing frames with hidden results --------===//
//
// A detector misses objects in some frames, and detects them late. A tracked object therefore stays
// concealed where it was last until its track ends, in a region that grows; and a new one is concealed in
// the frames before, too, which are written late.
//
// Contract  Every reported object is concealed in its frame. In at most `delay` frames before its first,
//           and until its track ends, an object with an identifier is concealed where it is expected.
//           Memory: the frames that are not written yet count towards `limits`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// Writes the frames of a video in which the results are unrecognizable.
struct ConcealedVideo {
  /// The number of frames before an object's first one in which it is concealed.
  private static let delay = 5
  /// The share of its sides by which a region grows in each frame in which its object is lost.
  private static let growth: Float = 0.05

  private struct Frame {
    let image: RGBImage
    let name: FilePath
    let number: Int
    var boxes: [Box]
  }

  private var video: AnnotatedVideo
  private let style: Concealment
  /// The number of frames for which a lost object has its identifier.
  private let lostFrameCount: Int
  private let limits: ImageLimits
  /// The frames that are not written yet.
  private var pending: [Frame] = []
  /// The last box of each object, sorted by identifier, and the frames since then.
  private var tracks: [(identifier: Int, box: Box, age: Int)] = []

  init(
    _ video: AnnotatedVideo, _ style: Concealment, lostFrameCount: Int,
    limits: ImageLimits = ImageLimits()
  ) {
    (self.video, self.style) = (video, style)
    (self.lostFrameCount, self.limits) = (lostFrameCount, limits)
  }

  /// Adds the next frame and its results, and writes a frame before.
  mutating func add(
    _ found: [some Finding], in image: RGBImage, name: FilePath, number: Int
  ) throws {
    let held = ConcealedVideo.delay + 1
    guard 3 * image.width * image.height <= limits.memory / held else {
      throw AnnotatedVideoError.tooLarge(frames: held, size: image.size, limit: limits.memory)
    }
    for index in tracks.indices { tracks[index].age += 1 }
    tracks.removeAll { $0.age > lostFrameCount }
    for finding in found {
      guard let identifier = finding.trackingID else { continue }
      if let index = tracks.firstIndex(where: { $0.identifier == identifier }) {
        tracks[index] = (identifier, finding.frame, 0)
      } else {
        tracks.append((identifier, finding.frame, 0))
        for index in pending.indices where pending[index].image.size == image.size {
          pending[index].boxes.append(finding.frame)
        }
      }
    }
    let lost = tracks.filter { $0.age > 0 }
      .map { $0.box.expanded(by: 1 + ConcealedVideo.growth * Float($0.age)) }
    pending.append(
      Frame(image: image, name: name, number: number, boxes: found.map(\.frame) + lost))
    if pending.count > ConcealedVideo.delay { try write(pending.removeFirst()) }
  }

  private mutating func write(_ frame: Frame) throws {
    var image = frame.image
    image.conceal(frame.boxes, as: style, of: frame.image)
    try video.add(image, name: frame.name, number: frame.number)
  }

  /// Writes the last frames, and ends the video.
  mutating func finish() throws {
    while !pending.isEmpty { try write(pending.removeFirst()) }
    try video.finish()
  }
}
