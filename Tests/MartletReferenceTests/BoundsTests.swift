import Foundation
import MartletReference
import Testing

/// Builds with `MARTLET_CHECKED` must check bounds.
@Suite struct BoundsTests {
  private static let isChecked = ProcessInfo.processInfo.environment["MARTLET_CHECKED"] != nil

  /// The kernel writes four numbers into a buffer for two. The test owns the memory after it.
  @Test(.enabled(if: isChecked, "needs a build with MARTLET_CHECKED"))
  func writingPastABufferTraps() async {
    await #expect(processExitsWith: .failure) {
      var points: [Float] = [1, 2, 3, 4]
      var matrix = [Float](repeating: 1, count: 16)
      var output = [Float](repeating: 0, count: 4)
      points.withUnsafeMutableBufferPointer { points in
        matrix.withUnsafeMutableBufferPointer { matrix in
          output.withUnsafeMutableBufferPointer { output in
            Reference.transformLandmarks(
              points, dimensions: 2, by: matrix,
              into: UnsafeMutableBufferPointer(rebasing: output[..<2]))
          }
        }
      }
    }
  }
}
