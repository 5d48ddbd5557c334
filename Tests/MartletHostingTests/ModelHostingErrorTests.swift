import Foundation
import MartletMLKit
import MartletHosting
import Testing

@Suite struct ModelHostingErrorTests {
  /// The status codes of Firebase's protocol and the errors of its client.
  @Test(arguments: [
    (400, MLKitErrorCode.invalidArgument), (401, .permissionDenied), (403, .permissionDenied),
    (404, .notFound), (429, .resourceExhausted), (500, .internal), (418, .internal),
  ])
  func statusCodesMatchFirebase(_ status: Int, _ code: MLKitErrorCode) {
    #expect(ModelHostingError.status(status, message: nil).code == code)
  }

  @Test func errorBridgesToNSError() {
    let error =
      ModelHostingError.notAccepted(.unsuitable(.normalization(tensor: "image"))) as NSError
    #expect(error.domain == "martlet.hosting" && error.code == 100)
    #expect(error.localizedDescription.contains("the model can't be used"))
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "martlet.vision")
  }

  @Test func errorHasSystemDescription() {
    #expect("\(ModelHostingError.file(path: "/a", errno: 13))" == "/a: Permission denied")
  }
}
