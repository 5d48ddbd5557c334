import MartletBase
import MartletCommandLine
import MartletSystem
import MartletVision
import Testing

@testable import MartletTool

@Suite struct ResultFormatTests {
  @Test(arguments: [
    ([], ResultFormat.table), (["--json"], .json), (["--format", "json"], .json),
    (["--format", "csv"], .csv), (["--format=table"], .table),
  ])
  func optionsSelectTheFormat(_ words: [String], _ format: ResultFormat) throws {
    #expect(try ResultFormat(Arguments(["x"] + words, for: DetectCommand.specification)) == format)
  }

  @Test func csvLineOfObjectHasOneFieldPerColumn() {
    var object = DetectedObject(
      frame: Box(x: 1, y: 2.5, width: 3, height: 4), score: 0.5, labels: [])
    object.labels = [ObjectLabel(text: "a, b", index: 7, confidence: 0.25)]
    #expect(
      CSV.line(DetectedObject.csvColumns)
        == "image,frame,object,x,y,width,height,score,trackingID,category,label,index,confidence,error"
    )
    #expect(
      CSV.line(object.csv("p.jpg", frame: nil, number: 1))
        == "p.jpg,,1,1,2.5,3,4,0.5,,,\"a, b\",7,0.25,")
    #expect(
      CSV.labelLine("p").count(where: { $0 == "," }) == CSV.labelColumns.count(where: { $0 == "," })
    )
  }

  @Test func objectIsDrawnWithTheNumberOfItsRow() {
    var object = DetectedObject(
      frame: Box(x: 1, y: 2, width: 3, height: 4), score: 0.69,
      labels: [ObjectLabel(text: "Food", index: 2, confidence: 0.97)])
    let still = object.annotation(at: 4)
    #expect(still.texts == ["5 Food 97%", "5"] && still.colorIndex == 4)
    object.labels = []
    #expect(object.annotation(at: 0).texts == ["1 object 69%", "1"])
    object.trackingID = 12
    #expect(object.annotation(at: 0).texts == ["#12"] && object.annotation(at: 0).colorIndex == 12)
  }

  @Test func csvLinesWithoutDetectionsHaveAllFields() {
    func check<Result: Finding>(_ type: Result.Type) {
      #expect(Result.csv("p").count == Result.csvColumns.count)
      #expect(
        Result.csv("p", frame: 3, error: SystemError(2))
          == ["p", "3"] + [String](repeating: "", count: Result.csvColumns.count - 3)
          + ["No such file or directory"])
    }
    check(DetectedObject.self)
    check(FaceResult.self)
  }

  @Test func failureHasAJSONLine() {
    #expect(
      "\(JSON.failure(of: "a", "\(SystemError(2))"))"
        == #"{"image":"a","error":"No such file or directory"}"#)
    #expect("\(JSON.failure(of: "a", frame: 3, "\(SystemError(2))"))".contains(#""frame":3"#))
  }
}
