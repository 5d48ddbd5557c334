//===--- Microkernels+Levels.swift - which loops serve --------------------===//
//
// The tables of the instruction sets that were compiled, and the choice among them, made once.
//
// Checked   Tests/MartletKernelsTests/MicrokernelsTests.swift
//===----------------------------------------------------------------------===//

import MartletKernelsBase

#if MARTLET_LEVELS
  import MartletKernelsV3
  import MartletKernelsV4
  import MartletKernelsVNNI
#endif

extension Microkernels {
  /// The instruction sets that were compiled and that this processor has, the plainest first.
  package static let available: [Microkernels] = {
    #if MARTLET_LEVELS
      switch ProcessorLevel.current {
      case .vnni: [.plain, .v3, .v4, .vnni]
      case .v4: [.plain, .v3, .v4]
      case .v3: [.plain, .v3]
      case .v1: [.plain]
      }
    #else
      [.plain]
    #endif
  }()

  /// The loops for the processor at hand.
  package static let current = available.last ?? .plain

  private typealias Plain = MartletKernelsBase.Loops
  private static let plain = Microkernels(
    tileRows: Plain.tileRows, sumRows: Plain.sumRows, lanes: Plain.lanes,
    float32Multiply: Plain.float32Multiply, float32Connect: Plain.float32Connect,
    int16Sums: Plain.int16Sums, requantize: Plain.requantize,
    float32Depthwise: Plain.float32Depthwise,
    int16Depthwise: Plain.int16Depthwise, widen: Plain.widen,
    float32Maximum: Plain.float32Maximum, float32Sum: Plain.float32Sum,
    byteMax: Plain.byteMax, byteAdd: Plain.byteAdd,
    steps: StepLoops(
      range: Plain.float32Range, bytes: Plain.byteSteps, whole: Plain.wholeSteps,
      realSums: Plain.realSums, scaleSums: Plain.scaleSums), peakRound: Plain.peakRound,
    float32Peak: Plain.float32Peak, int16Peak: Plain.int16Peak)

  #if MARTLET_LEVELS
    private typealias V3 = MartletKernelsV3.Loops
    private static let v3 = Microkernels(
      tileRows: V3.tileRows, sumRows: V3.sumRows, lanes: V3.lanes,
      float32Multiply: V3.float32Multiply, float32Connect: V3.float32Connect,
      int16Sums: V3.int16Sums, requantize: V3.requantize, float32Depthwise: V3.float32Depthwise,
      int16Depthwise: V3.int16Depthwise, widen: V3.widen,
      float32Maximum: V3.float32Maximum, float32Sum: V3.float32Sum,
      byteMax: V3.byteMax, byteAdd: V3.byteAdd,
      steps: StepLoops(
        range: V3.float32Range, bytes: V3.byteSteps, whole: V3.wholeSteps, realSums: V3.realSums,
        scaleSums: V3.scaleSums), peakRound: V3.peakRound,
      float32Peak: V3.float32Peak, int16Peak: V3.int16Peak)

    private typealias V4 = MartletKernelsV4.Loops
    private static let v4 = Microkernels(
      tileRows: V4.tileRows, sumRows: V4.sumRows, lanes: V4.lanes,
      float32Multiply: V4.float32Multiply, float32Connect: V4.float32Connect,
      int16Sums: V4.int16Sums, requantize: V4.requantize, float32Depthwise: V4.float32Depthwise,
      int16Depthwise: V4.int16Depthwise, widen: V4.widen,
      float32Maximum: V4.float32Maximum, float32Sum: V4.float32Sum,
      byteMax: V4.byteMax, byteAdd: V4.byteAdd,
      steps: StepLoops(
        range: V4.float32Range, bytes: V4.byteSteps, whole: V4.wholeSteps, realSums: V4.realSums,
        scaleSums: V4.scaleSums), peakRound: V4.peakRound,
      float32Peak: V4.float32Peak, int16Peak: V4.int16Peak)

    private typealias VNNI = MartletKernelsVNNI.Loops
    private static let vnni = Microkernels(
      tileRows: VNNI.tileRows, sumRows: VNNI.sumRows, lanes: VNNI.lanes,
      float32Multiply: VNNI.float32Multiply, float32Connect: VNNI.float32Connect,
      int16Sums: VNNI.int16Sums, requantize: VNNI.requantize,
      float32Depthwise: VNNI.float32Depthwise,
      int16Depthwise: VNNI.int16Depthwise, widen: VNNI.widen,
      float32Maximum: VNNI.float32Maximum, float32Sum: VNNI.float32Sum,
      byteMax: VNNI.byteMax, byteAdd: VNNI.byteAdd,
      steps: StepLoops(
        range: VNNI.float32Range, bytes: VNNI.byteSteps, whole: VNNI.wholeSteps,
        realSums: VNNI.realSums, scaleSums: VNNI.scaleSums), peakRound: VNNI.peakRound,
      float32Peak: VNNI.float32Peak, int16Peak: VNNI.int16Peak,
      bytes: ByteLoops(
        multiply: VNNI.int8Multiply, connect: VNNI.int8Connect, rowSums: VNNI.int8RowSums,
        depthwise: VNNI.int8Depthwise, sums: VNNI.int8Sums))
  #endif
}
