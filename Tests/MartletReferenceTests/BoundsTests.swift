import Foundation
import MartletReference
import Testing

/// That a build with `MARTLET_CHECKED` has the checks that it is for.
@Suite struct BoundsTests {
  private static let isChecked = ProcessInfo.processInfo.environment["MARTLET_CHECKED"] != nil

  /// The kernel writes four numbers into room for two. The memory behind is the test's own.
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
