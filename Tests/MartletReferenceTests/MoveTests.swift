import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct MoveTests {
  private let guardByte: UInt8 = 0xEE

  @Test(arguments: Array(0...70) + [511, 512, 513, 1000])
  func copiesEveryByteAndNoMore(count: Int) {
    var random = SplitMix64(seed: 1)
    let source: [UInt8] = (0..<count + 1).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var target = [UInt8](repeating: guardByte, count: count + 2)
    source.withUnsafeBytes { source in
      target.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        Reference.move(count, from: from + 1, to: to + 1)
      }
    }
    #expect(target == [guardByte] + source[1...].prefix(count) + [guardByte])
  }

  @Test(arguments: [1, 2, 3, 4, 8, 16])
  func fillsWithElementsOfEverySize(elementSize: Int) {
    let element = (0..<elementSize).map { UInt8(10 + $0) }
    for elements in 0...40 {
      let count = elements * elementSize
      var target = [UInt8](repeating: guardByte, count: count + 1)
      element.withUnsafeBytes { element in
        target.withUnsafeMutableBytes { target in
          guard let element = element.baseAddress, let to = target.baseAddress else { return }
          Reference.fill(to, count, element, elementSize)
        }
      }
      #expect(target == (0..<elements).flatMap { _ in element } + [guardByte])
    }
  }

  /// Workers that run the chunks from last to first.
  private static let workers = Workers(count: 3) { chunks, body in
    for chunk in (0..<chunks).reversed() { body(chunk) }
  }

  // Large enough that every worker gets a part.
  @Test(arguments: [(0, 0), (2, 0), (0, 1), (1, 3)])
  func paddingIsIndependentOfWorkerCount(before: Int, after: Int) {
    let shape = [1, 300, 50, 7]
    let border = Border(
      shape: Shape(shape), before: [0, before, 0, 1], after: [0, after, 0, 2], elementSize: 4)
    var random = SplitMix64(seed: 2)
    let input = (0..<shape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) }
    let filler: Float = -1
    let outputs = [Workers.serial, MoveTests.workers].map { workers in
      var output = [Float](repeating: .nan, count: (300 + before + after) * 50 * 10)
      input.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output in
          withUnsafeBytes(of: filler) { filler in
            guard let from = input.baseAddress, let to = output.baseAddress,
              let filler = filler.baseAddress
            else { return }
            border.fill(from, with: filler, into: to, workers: workers)
          }
        }
      }
      return output
    }
    let row = 50 * 10
    var expected = [Float](repeating: filler, count: outputs[0].count)
    for y in 0..<300 {
      for x in 0..<50 {
        let (from, to) = ((y * 50 + x) * 7, (y + before) * row + x * 10 + 1)
        for c in 0..<7 { expected[to + c] = input[from + c] }
      }
    }
    #expect(outputs[0] == expected)
    #expect(outputs[1] == expected)
  }

  @Test func copiesAreIndependentOfWorkerCount() {
    var random = SplitMix64(seed: 3)
    let source = (0..<200 * 300).map { _ in Float.random(in: -1...1, using: &random) }
    let transpose = StridedCopy(
      [
        .init(extent: 300, source: 4, destination: 200 * 4),
        .init(extent: 200, source: 300 * 4, destination: 4),
      ], elementSize: 4)
    let expected = (0..<300).flatMap { column in (0..<200).map { source[$0 * 300 + column] } }
    for workers in [Workers.serial, MoveTests.workers] {
      var target = [Float](repeating: .nan, count: source.count)
      source.withUnsafeBytes { source in
        target.withUnsafeMutableBytes { target in
          guard let from = source.baseAddress, let to = target.baseAddress else { return }
          transpose(from: from, to: to, workers: workers)
        }
      }
      #expect(target == expected)
    }
  }
}
