//===--- TodaysPatterns.swift - calls with Swift concurrency --------------===//

import Foundation
import MartletMLKit

/// Calls with `async` and asynchronous sequences.
enum TodaysPatterns {
  static func objects(_ visionImage: VisionImage) async throws -> [Object] {
    let detector = ObjectDetector.objectDetector(options: ObjectPatterns.stillImage())
    let objects = try await detector.objects(in: visionImage)
    return objects
  }

  static func sequence(_ frames: AsyncStream<VisionImage>) async throws -> [Int] {
    let detector = ObjectDetector.objectDetector(options: ObjectPatterns.stillImage())
    var counts: [Int] = []
    for try await result in detector.objects(over: frames) {
      counts.append(result.objects.count)
    }
    return counts
  }

  @MainActor
  static func onTheMainActor(_ frames: AsyncStream<VisionImage>) async throws -> [CGRect] {
    let detector = ObjectDetector.objectDetector(options: ObjectPatterns.stillImage())
    var boxes: [CGRect] = []
    for try await result in detector.objects(over: frames) {
      boxes += result.objects.map(\.frame)
      boxes += try await detector.objects(in: result.frame).map(\.uprightFrame)
    }
    return boxes
  }
}
