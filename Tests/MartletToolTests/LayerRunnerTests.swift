import Foundation
import MartletBase
import MartletCommandLine
import MartletInference
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct LayerRunnerTests {
  @Test func computesPopulationStatistics() {
    let statistics = LayerStatistics(of: [1, 2, 3, 6], stride: 3, samples: 3)
    // Mean 3; squared differences 4, 1, 0, 9.
    #expect(
      statistics
        == LayerStatistics(
          mean: 3, deviation: 3.5.squareRoot(), least: 1, most: 6, stride: 3, samples: [1, 6, nil]))
  }

  @Test(
    arguments: [
      ([1, 2, 3, 6], 0, nil), ([1, 2, 3, 7], 0, "maximum"), ([1, 2, 3, 7], 1, nil),
      ([0.9, 2, 3, 6], 0.05, "minimum"), ([1, 3, 3, 6], 0, "mean"),
      ([1, 3, 2, 6], 0, "element 1"), ([.nan, 2, 3, 6], 0.5, "minimum"),
    ] as [([Double], Double, String?)])
  func reportsFirstStatisticThatDiffers(
    _ found: [Double], _ tolerance: Double, _ expected: String?
  ) {
    let oracle = LayerStatistics(of: [1, 2, 3, 6], stride: 1, samples: 4)
    let difference = LayerStatistics(of: found, stride: 1, samples: 4)
      .difference(from: oracle, tolerance: tolerance)
    #expect(difference?.name == expected)
  }

  @Test func readsReferenceRows() throws {
    let json = """
      {"case": "c", "columns": ["op_index"], "rows": [[4, "ADD", 9, [1, 2], "int8", 0.5, null,
      -1.0, 2.0, 1, [-1.0, 2.0]]]}
      """
    let row = try LayerManifest(json: Array(json.utf8)).rows[0]
    #expect(row.node == 4 && row.name == "ADD" && row.tensor == 9 && row.shape == [1, 2])
    #expect(
      row.statistics
        == LayerStatistics(
          mean: 0.5, deviation: nil, least: -1, most: 2, stride: 1, samples: [-1, 2]))
  }
}

/// Compares layers of real models with LiteRT's, if the shared material exists.
@Suite(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
struct SharedLayerTests {
  static let folder = SharedMaterial.url("conformance")

  func manifest() throws -> (LayerManifest, GoldenModel) {
    let golden = SharedLayerTests.folder.appending(path: "golden")
    func read<Value: JSONReadable>(_ path: String) throws -> Value {
      try Value(json: Files.read(golden.appending(path: path).path))
    }
    let models: ConformanceManifest = try read("manifest.json")
    let name = "mp_2019__face_detection_front"
    let model = try #require(models.models?.first { $0.file == name + ".tflite" })
    return (try read("layers/\(name).json"), model)
  }

  func runner(_ kernels: KernelSet) -> ConformanceRunner {
    ConformanceRunner(
      folder: FilePath(SharedLayerTests.folder.appending(path: "golden").path),
      models: FilePath(SharedLayerTests.folder.appending(path: "models").path),
      options: .init(kernels: kernels))
  }

  @Test(arguments: KernelSet.allCases)
  func modelWithFusedClampsMatchesNodeByNode(kernels: KernelSet) throws {
    let (layers, model) = try manifest()
    #expect(runner(kernels).run(layers, of: model).outcome == .passed)
  }

  @Test func reportsAlteredLayerFirst() throws {
    let (layers, model) = try manifest()
    // The clamp that was fused into the preceding sum: both must be named.
    let place = try #require(
      layers.rows.indices.dropFirst(20).first { layers.rows[$0].name == "RELU" })
    let row = layers.rows[place]
    var rows = layers.rows
    for index in place..<rows.count { rows[index] = rows[index].altered }
    let altered = LayerManifest(case: layers.case, columns: layers.columns, rows: rows)
    guard case .failed(let reason) = runner(.fast).run(altered, of: model).outcome else {
      Issue.record("a wrong layer passed")
      return
    }
    #expect(reason.contains("with RELU, tensor \(row.tensor): maximum is"))
  }
}

extension LayerRow {
  /// The same row with a different maximum.
  fileprivate var altered: LayerRow {
    let old = statistics
    return LayerRow(
      node: node, name: name, tensor: tensor, shape: shape,
      statistics: LayerStatistics(
        mean: old.mean, deviation: old.deviation, least: old.least,
        most: (old.most ?? 0) * 2 + 1, stride: old.stride, samples: old.samples))
  }
}
