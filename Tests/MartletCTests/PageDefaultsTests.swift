import MartletTestSupport
import Testing

@testable import MartletVision

/// The page shows the defaults that apply until its controls are changed.
@Suite struct PageDefaultsTests {
  @Test func sliderShowsTheDefaultMinimumScore() throws {
    let path = Fixtures.root.appending(path: "Sources/API/MartletC/Page/index.html")
    let page = String(decoding: try Fixtures.bytes(of: path), as: UTF8.self)
    #expect(page.contains(#"step="0.05" value="\#(ReportingRules.minimumScore)">"#))
  }
}
