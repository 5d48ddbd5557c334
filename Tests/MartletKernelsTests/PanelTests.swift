import Testing

@testable import MartletKernels

@Suite struct PanelTests {
  @Test(arguments: [0, 1, 7, 8, 9, 24, 31, 32, 49, 100], [[8, 4], [16, 8], [32, 16]])
  func panelsCoverTheColumnsOnce(columns: Int, widths: [Int]) {
    let panels = Panel.cut(columns: columns, widths: widths, height: 3)
    #expect(panels.flatMap { $0.first..<$0.first + $0.columns } == Array(0..<columns))
    var offset = 0
    for panel in panels {
      #expect(widths.contains(panel.width) && panel.columns <= panel.width)
      #expect(panel.offset == offset)
      offset += panel.width * 3
    }
    // At most as much padding as the narrowest panel.
    #expect(panels.reduce(0) { $0 + $1.width } < columns + (widths.last ?? 0))
  }
}
