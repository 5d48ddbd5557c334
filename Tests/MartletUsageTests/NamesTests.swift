// Declares names that `Martlet` or another module declares too. It compiles, so importing `Martlet`
// makes none of them ambiguous.

import Foundation
import MartletMLKit
import OthersNames
import Testing

/// The app's own type, which hides Martlet's short name for an image.
private struct Image: Equatable { let name: String }

private struct Circle: Shape {}

@Suite struct NamesTests {
  @Test func namesOfOtherFrameworksAreUnambiguous() {
    let shape: any Shape = Circle()
    #expect(shape is Circle)
    #expect(Point() == Point())
    #expect(Box(7).content == 7)
    _ = (Model(), Normalization(), Operand(), Annotation(), Quantization(), Lock(), ColorSpace())
  }

  @Test func appImageHidesTheShortName() {
    #expect(Image(name: "a") == Image(name: "a"))
  }

  @Test func publicTypesCanBeNamed() throws {
    let pixels = try RGBImage(width: 1, height: 1, pixels: [1, 2, 3])
    let image = InputImage(pixels, orientation: .right)
    #expect(image.size == ImageSize(width: 1, height: 1))
    let options = Interpreter.Options(kernels: KernelSet.fast, workers: Workers.serial)
    #expect(options.workers.count == 1)
    let normalization = try PixelNormalization(mean: [0], deviation: [1])
    #expect(LocalModel(path: "a", normalization: normalization).normalization == normalization)
  }
}
