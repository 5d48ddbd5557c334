import MartletBase
import MartletReference
import Testing

@Suite struct PowerTests {
  private func powers(_ a: [Int32], _ b: [Int32]) -> [Int32] {
    let walk = Broadcast([Shape(a.count), Shape(b.count)], over: Shape(a.count))
    return combined(a, b, a.count, of: -7) { Reference.power($0, $1, walk, into: $2) }
  }

  @Test func powersWrapAround() {
    let bases: [Int32] = [0, 1, -1, 2, -3, 10, 46341, .min]
    for exponent: Int32 in 0...40 {
      let want = bases.map { base in
        var power: Int32 = 1
        for _ in 0..<exponent { power = power &* base }
        return power
      }
      #expect(powers(bases, [exponent]) == want)
    }
  }

  @Test func acceptsTheLargestExponent() {
    #expect(powers([-1, 0, 1], [.max]) == [-1, 0, 1])
  }
}
