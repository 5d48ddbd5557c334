import Testing

@testable import MartletCommandLine

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("photo.heic", "heif-convert photo.heic out.png"),
    ("trip/IMG 1.heic", "heif-convert 'trip/IMG 1.heic' out.png"),
    ("it's.heic", "heif-convert 'it'\\''s.heic' out.png"),
    ("$(rm).heic", "heif-convert '$(rm).heic' out.png"),
    ("-o.heic", "heif-convert ./-o.heic out.png"),
    ("bäume.heic", "heif-convert bäume.heic out.png"),
    ("", "heif-convert FILE out.png"), ("-", "heif-convert FILE out.png"),
    ("a\u{1B}.heic", "heif-convert FILE out.png"),
  ])
  func commandsHaveTheFilesPath(_ path: String, _ command: String) {
    #expect("with heif-convert FILE out.png".naming(path) == "with \(command)")
  }

  @Test func firstImageOfAFileIsOneWord() {
    #expect("magick 'FILE[0]' out.png".naming("a.psd") == "magick 'a.psd[0]' out.png")
  }

  @Test func otherWordsStay() {
    #expect("a FILENAME, FILE; two  spaces".naming("x") == "a FILENAME, FILE; two  spaces")
  }
}
