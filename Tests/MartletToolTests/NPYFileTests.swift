import MartletBase
import Testing

@testable import MartletTool

/// Headers as `numpy.save` writes them.
@Suite struct NPYFileTests {
  private func file(
    _ dictionary: String, _ elements: [UInt8], version: UInt8 = 1
  ) -> [UInt8] {
    let header = Array(dictionary.utf8) + [0x0A]
    let count = header.count
    let length: [UInt8] =
      version == 1
      ? [UInt8(count & 255), UInt8(count >> 8)] : [UInt8(count & 255), UInt8(count >> 8), 0, 0]
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + header + elements
  }

  @Test(
    arguments: [
      ("'<f4'", "(2,)", .float32, [2], 8), ("'|u1'", "(1, 2, 3)", .uint8, [1, 2, 3], 6),
      ("'<i8'", "()", .int64, [], 8), ("'|b1'", "(0, 4)", .bool, [0, 4], 0),
    ] as [(String, String, ElementType, [Int], Int)])
  func readsTypeAndShape(
    _ descriptor: String, _ extents: String, _ type: ElementType, _ shape: [Int], _ count: Int
  ) throws {
    let elements = (0..<count).map { UInt8($0) }
    let text = "{'descr': \(descriptor), 'fortran_order': False, 'shape': \(extents), }    "
    for version in UInt8(1)...3 {
      let array = try NPYFile(file(text, elements, version: version))
      #expect(array.type == type && array.shape == shape && array.elements == elements)
    }
  }

  @Test(
    arguments: [
      ("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", .type(">f4")),
      ("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", .fortranOrder),
      (
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
        .byteCount(found: 4, expected: 8)
      ),
      ("{'descr': '<f4', 'shape': (1,), }", .header), ("{}", .header), ("'descr'", .header),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (1, x), }", .header),
    ] as [(String, NPYError)])
  func otherArraysAreRefused(_ dictionary: String, _ error: NPYError) {
    #expect(throws: error) { try NPYFile(file(dictionary, [1, 2, 3, 4])) }
  }

  @Test func truncatedFilesAreRefused() {
    let whole = file("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", [7])
    for count in whole.indices {
      #expect(throws: NPYError.self) { try NPYFile(Array(whole[..<count])) }
    }
  }

  @Test func arrayFitsItsTensorOnly() throws {
    let array = try NPYFile(
      file("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }", [7, 8]))
    #expect(try array.elements(of: .uint8, shape: Shape(1, 2)) == [7, 8])
    for (type, shape) in [(ElementType.int8, Shape(1, 2)), (.uint8, Shape(2, 1))] {
      #expect(throws: NPYError.self) { try array.elements(of: type, shape: shape) }
    }
  }
}
