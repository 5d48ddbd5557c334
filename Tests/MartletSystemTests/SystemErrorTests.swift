import MartletCLibrary
import MartletSystem
import Testing

@Suite struct SystemErrorTests {
  @Test func describesTheError() {
    #expect("\(SystemError(ENOENT))" == "No such file or directory")
  }

  @Test func returnsTheErrorOfTheLastCall() {
    #expect(open("/nowhere", O_RDONLY) < 0)
    #expect(SystemError.last == SystemError(ENOENT))
  }
}
