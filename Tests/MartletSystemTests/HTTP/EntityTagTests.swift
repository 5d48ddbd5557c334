import MartletSystem
import Testing

@Suite struct EntityTagTests {
  @Test func parsesAndWritesTags() {
    #expect(EntityTag("\"xyzzy\"") == EntityTag(opaque: "xyzzy"))
    #expect(EntityTag("W/\"xyzzy\"") == EntityTag(opaque: "xyzzy", isWeak: true))
    #expect(EntityTag(opaque: "a", isWeak: true).text == "W/\"a\"")
    #expect(EntityTag("\"\"")?.opaque == "")
  }

  @Test(arguments: [
    "", "xyzzy", "\"xyzzy", "xyzzy\"", "w/\"xyzzy\"", "\"a\" \"b\"", "\"a\", \"b\"",
  ])
  func rejectsInvalidTags(_ text: String) { #expect(EntityTag(text) == nil) }

  /// The table of RFC 9110, section 8.8.3.2.
  @Test(arguments: [
    ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
    ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
  ])
  func comparesTagsAsRFC9110Specifies(
    _ first: String, _ second: String, _ isStrong: Bool, _ isWeak: Bool
  ) throws {
    let tag = try #require(EntityTag(first))
    #expect(tag.isStronglyEqual(to: try #require(EntityTag(second))) == isStrong)
    #expect(tag.matches(ifNoneMatch: second) == isWeak)
  }

  @Test func acceptsCommasInsideTags() {
    let tag = EntityTag(opaque: "c,d")
    #expect(tag.matches(ifNoneMatch: "\"a\", W/\"b\",\"c,d\""))
    #expect(!EntityTag(opaque: "c").matches(ifNoneMatch: "\"a\", W/\"b\",\"c,d\""))
    #expect(tag.matches(ifNoneMatch: "*"))
    #expect(!tag.matches(ifNoneMatch: "\"a\" \"c,d\""))
  }
}
