//===--- SVDFLayers.swift - filters over features and time ----------------===//
//
// Contract  Bit for bit the interpreter's kernels. Rows of the input are bytes in their unsigned
//           form. The state has, for each batch and filter, the last sums, the oldest first. The
//           record has the numbers of batches, inputs, units, filters of a unit, and sums kept;
//           the state's zero point; the multipliers and shifts to the state and to the output;
//           the output's zero point; the bias of each filter, in which the input's zero point is
//           folded; that of each unit; the weights over time; and those over features, as bytes.
// Cost      A product for each filter and input, and for each sum kept.
//===----------------------------------------------------------------------===//

extension Layer {
  /// Filters with a state and weights over time of 16 bits.
  @inline(never)
  public static func svdf(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, state: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe svdf(layer, input, shorts(state), output)
  }

  /// Filters with a state and weights over time of 8 bits.
  @inline(never)
  public static func svdfBytes(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, state: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe svdf(layer, input, state.assumingMemoryBound(to: Int8.self), output)
  }

  @inline(__always)
  private static func svdf<State: FixedWidthInteger>(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ state: UnsafeMutablePointer<State>,
    _ output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let (inputs, memory) = unsafe (Int(r[1]), Int(r[4]))
    let filters = unsafe Int(r[2] &* r[3])
    let zero = unsafe r[5]
    let unitBias = unsafe r + 11 + filters
    let allTime = unsafe UnsafeRawPointer(unitBias + Int(r[2]))
    let allFeatures = unsafe signedBytes(
      allTime + (filters &* memory &* MemoryLayout<State>.size &+ 3) & ~3)
    var source = unsafe bytes(input)
    var kept = unsafe state
    var target = unsafe bytes(output)
    var batch = unsafe r[0]
    while batch != 0 {
      var bias = unsafe r + 11
      var time = unsafe allTime.assumingMemoryBound(to: State.self)
      var features = unsafe allFeatures
      var unit = 0
      while unsafe unit != Int(r[2]) {
        var total = unsafe unitBias[unit]
        var filter = unsafe r[3]
        while filter != 0 {
          let sum = unsafe Portable.dotProduct(source, features, count: inputs, from: bias.pointee)
          let value = unsafe State(clamping: scaled(sum, by: r[6], shift: r[7]))
          var i = 0
          while i &+ 1 != memory {
            let next = unsafe kept[i &+ 1]
            unsafe kept[i] = next
            unsafe total &+=
              Int32(truncatingIfNeeded: time[i])
              &* (Int32(truncatingIfNeeded: next) &- zero)
            i &+= 1
          }
          let newest = State(clamping: Int32(truncatingIfNeeded: value) &+ zero)
          unsafe kept[i] = newest
          unsafe total &+=
            Int32(truncatingIfNeeded: time[i])
            &* (Int32(truncatingIfNeeded: newest) &- zero)
          unsafe kept += memory
          unsafe time += memory
          unsafe features += inputs
          unsafe bias += 1
          filter &-= 1
        }
        let result = unsafe scaled(total, by: r[8], shift: r[9]) &+ r[10]
        unsafe target.pointee = UInt8(truncatingIfNeeded: min(max(result, 0), 255))
        unsafe target += 1
        unit &+= 1
      }
      unsafe source += inputs
      batch &-= 1
    }
  }
}
