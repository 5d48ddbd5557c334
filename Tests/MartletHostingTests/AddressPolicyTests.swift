import Foundation
import Testing

@testable import MartletHosting

@Suite struct AddressPolicyTests {
  static func check(
    _ address: String, from referrer: String? = nil, allowed: Bool = false
  ) throws {
    try AddressPolicy(allowsInsecureHTTP: allowed).check(
      try #require(URL(string: address)), from: referrer.flatMap { URL(string: $0) })
  }

  @Test(arguments: [
    "https://example.com/a", "HTTPS://example.com", "http://localhost:8080/a",
    "http://127.0.0.1/a", "http://127.9.9.9/a", "http://[::1]:80/a", "http://LocalHost/a",
  ])
  func allowsHTTPSAndLoopback(_ address: String) throws {
    try AddressPolicyTests.check(address)
  }

  @Test(arguments: [
    "http://example.com/a", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
    "http://128.0.0.1/", "http://127.1/", "http://127.0.0.256/", "http://0.0.0.0/",
    "http://[::2]/", "http://127.0.0.x/",
  ])
  func rejectsOtherHostsByDefault(_ address: String) throws {
    #expect(throws: ModelHostingError.insecureAddress(address)) {
      try AddressPolicyTests.check(address)
    }
    try AddressPolicyTests.check(address, allowed: true)
  }

  @Test(arguments: [
    ("http://user:s3cret@example.com/a", "http://example.com/a"),
    ("https://user@example.com:8443?q=a@b", "https://example.com:8443?q=a@b"),
    ("https://a:b@c@example.com", "https://example.com"),
    ("//user:s3cret@example.com", "//example.com"), ("user:s3cret@example.com", "example.com"),
    ("https://example.com/a@2x.tflite", "https://example.com/a@2x.tflite"),
    ("https://example.com#@", "https://example.com#@"), ("/a@b", "/a@b"), ("", ""),
  ])
  func removesUserAndPassword(_ address: String, _ expected: String) {
    #expect(address.withoutCredentials == expected)
  }

  @Test(arguments: ["http://user:s3cret@example.com/a", "ftp://user:s3cret@example.com/"])
  func errorsShowNoPassword(_ address: String) throws {
    let error = try #require(throws: ModelHostingError.self) {
      try AddressPolicyTests.check(address)
    }
    #expect(!"\(error)\(String(reflecting: error))".contains("s3cret"))
  }

  @Test(arguments: ["ftp://example.com/", "file:///etc/passwd", "/a/b", "data:,x", "https:///x"])
  func rejectsOtherSchemes(_ address: String) {
    #expect(throws: ModelHostingError.address(address)) {
      try AddressPolicyTests.check(address, allowed: true)
    }
  }

  @Test func remoteHostCannotRedirectToLoopback() throws {
    #expect(throws: ModelHostingError.insecureAddress("http://127.0.0.1/a")) {
      try AddressPolicyTests.check("http://127.0.0.1/a", from: "https://example.com/")
    }
    try AddressPolicyTests.check("http://127.0.0.1/a", from: "http://localhost:80/")
    try AddressPolicyTests.check("https://example.com/", from: "http://localhost:80/")
  }
}
