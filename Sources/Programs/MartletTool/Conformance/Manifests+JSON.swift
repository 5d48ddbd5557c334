//===--- Manifests+JSON.swift - decoding manifests ------------------------===//

import MartletBase
import MartletCommandLine

extension ConformanceManifest: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    cases = try reader.optional("cases")
    models = try reader.optional("models")
    files = try reader.optional("files")
  }
}

extension OperatorCase: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    id = try reader.value("id")
    op = try reader.value("op")
    variant = try reader.value("variant")
    steps = try reader.value("steps")
    inputs = try reader.value("inputs")
    outputs = try reader.value("outputs")
    tolerance = try reader.value("tolerance")
    model = try reader.value("model")
    resizeInputs = try reader.optional("resize_inputs")
    compareRows = try reader.optional("compare_rows")
  }
}

extension OperatorCase.Tensor: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    dtype = try reader.value("dtype")
    shape = try reader.value("shape")
    offset = try reader.value("offset")
    nbytes = try reader.value("nbytes")
  }
}

extension OperatorCase.Tolerance: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    steps = try reader.optional("steps")
    atol = try reader.optional("atol")
  }
}

extension GoldenModel: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    file = try reader.value("file")
    cases = try reader.value("cases")
  }
}

extension GoldenCase: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    id = try reader.value("id")
    inputs = try reader.value("inputs")
    outputs = try reader.value("outputs")
  }
}

extension GoldenCase.Input: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    dtype = try reader.value("dtype")
    shape = try reader.value("shape")
    source = try reader.value("source")
  }
}

extension GoldenCase.Output: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    dtype = try reader.value("dtype")
    file = try reader.value("file")
    layout = try reader.value("layout")
    stats = try reader.value("stats")
    suggestedTolerance = try reader.value("suggested_tolerance")
    hasSpread = try reader.has("auto_vs_ref")
  }
}

extension GoldenCase.Statistics: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    min = try reader.optional("min")
    max = try reader.optional("max")
  }
}

extension GoldenCase.Layout: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    self = reader.isObject ? .strided(try reader.value("stride")) : .full
  }
}

extension GoldenCase.Source: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    kind = try reader.value("kind")
    file = try reader.optional("file")
    seed = try reader.optional("seed")
    map = try reader.optional("map")
    lo = try reader.optional("lo")
    hi = try reader.optional("hi")
    values = try reader.optional("values")
    transform = try reader.optional("transform")
    channels = try reader.optional("channels")
  }
}

extension GoldenCase.Transform: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    self =
      reader.isObject
      ? .affine(scale: try reader.value("scale"), offset: try reader.value("offset"))
      : .named(try String(reader))
  }
}

extension BrokenFile: JSONReadable {
  init(_ reader: JSONReader) throws(JSONError) {
    file = try reader.value("file")
    litert = try reader.value("litert")
  }
}
