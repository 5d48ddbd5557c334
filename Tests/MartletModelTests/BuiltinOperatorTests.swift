import Testing

@testable import MartletModel

@Suite struct BuiltinOperatorTests {
  /// Numbers and names from the schema: some of each hundred, and those around its gaps.
  @Test(arguments: [
    (Int32(0), "ADD"), (3, "CONV_2D"), (20, "RELU_N1_TO_1"), (31, "CALL"),
    (33, "EMBEDDING_LOOKUP_SPARSE"), (50, "LOG_SOFTMAX"), (52, "BIDIRECTIONAL_SEQUENCE_LSTM"),
    (60, "PADV2"), (80, "FAKE_QUANT"), (100, "MIRROR_PAD"), (120, "NON_MAX_SUPPRESSION_V4"),
    (126, "BATCH_MATMUL"), (128, "CUMSUM"), (140, "REDUCE_ALL"), (160, "BITWISE_XOR"),
    (181, "STABLEHLO_MINIMUM"), (206, "STABLEHLO_COMPOSITE"), (209, "STABLEHLO_CASE"),
  ])
  func matchesTheSchema(number: Int32, name: String) {
    #expect(BuiltinOperator(rawValue: number)?.description == name)
  }

  @Test func hasNoCasesForPlaceholders() {
    // CUSTOM, DELEGATE and the placeholder for larger codes.
    #expect([32, 51, 127].allSatisfy { BuiltinOperator(rawValue: $0) == nil })
    #expect(BuiltinOperator.allCases.count == 210 - 3)
  }
}
