//===--- SHA256.swift - the digest that MANIFEST.json states --------------===//
//
// A plain implementation of FIPS 180-4, so that the manifest check needs no other module.
//===----------------------------------------------------------------------===//

import Foundation

/// The SHA-256 digest of some bytes, in hexadecimal.
func sha256(_ message: [UInt8]) -> String {
  var padded = message + [0x80]
  padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
  for shift in stride(from: 56, through: 0, by: -8) {
    padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
  }
  var state = initialState
  for start in stride(from: 0, to: padded.count, by: 64) {
    absorb(padded[start..<start + 64], into: &state)
  }
  return state.map { word in
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }.joined()
}

private func absorb(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
  var words: [UInt32] = stride(from: block.startIndex, to: block.endIndex, by: 4).map { i in
    block[i..<i + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
  for i in 16..<64 {
    let a = words[i - 15]
    let b = words[i - 2]
    let s0 = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
    let s1 = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
    words.append(words[i - 16] &+ s0 &+ words[i - 7] &+ s1)
  }
  var s = state
  for i in 0..<64 {
    let choice = s[4] & s[5] ^ ~s[4] & s[6]
    let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
    let s1 = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)
    let s0 = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)
    let t = s[7] &+ s1 &+ choice &+ roundConstants[i] &+ words[i]
    s = [t &+ s0 &+ majority, s[0], s[1], s[2], s[3] &+ t, s[4], s[5], s[6]]
  }
  for i in 0..<8 { state[i] &+= s[i] }
}

private func rotated(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }

private let primes: [Int] = (2...311).filter { n in
  !(2..<n).contains { $0 * $0 <= n && n % $0 == 0 }
}

/// The first 32 bits of the fractional parts of the primes' square roots, and of their cube roots.
private let initialState = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
private let roundConstants = primes.map { fraction(cbrt(Double($0))) }

private func fraction(_ x: Double) -> UInt32 { UInt32(truncatingIfNeeded: UInt64(x * 0x1p32)) }
