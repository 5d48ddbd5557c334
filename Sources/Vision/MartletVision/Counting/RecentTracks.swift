//===--- RecentTracks.swift - what is known of tracked objects ------------===//
//
// Contract  An object that is not set for `lifetime` frames is forgotten, so that memory is bounded
//           by the objects of that time.
// Cost      O(n) for each frame, for n objects.
//===----------------------------------------------------------------------===//

/// A value for each object that was in sight recently, by its identifier.
struct RecentTracks<Value: Sendable>: Sendable {
  /// The number of frames for which a value is kept: ten seconds at 30 frames per second.
  private static var lifetime: Int { 300 }

  private var values: [Int: (value: Value, frame: Int)] = [:]
  private var frameCount = 0

  /// The number of objects that are known.
  var count: Int { values.count }

  /// Starts the next frame.
  mutating func advance() {
    frameCount += 1
    let oldest = frameCount - RecentTracks.lifetime
    if values.contains(where: { $0.value.frame < oldest }) {
      values = values.filter { $0.value.frame >= oldest }
    }
  }

  subscript(_ identifier: Int) -> Value? {
    get { values[identifier]?.value }
    set { values[identifier] = newValue.map { ($0, frameCount) } }
  }
}
