import MartletSystem
import Testing

@Suite struct SystemErrorTests {
  @Test func hasDescriptionOfLibrary() {
    #expect("\(SystemError(ENOENT))" == "No such file or directory")
  }

  @Test func isThatOfTheLastCall() {
    #expect(open("/nowhere", O_RDONLY) < 0)
    #expect(SystemError.last == SystemError(ENOENT))
  }
}
