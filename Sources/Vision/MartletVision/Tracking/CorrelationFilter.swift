//===--- CorrelationFilter.swift - target position in a window ------------===//
//
// A ridge regression from a window's cells to a bell around the target, solved in the Fourier
// domain, where all shifts of the window are its samples (Bolme et al., 2010; several channels as
// in Danelljan et al., 2014, with one denominator).
//
// A cell's low and high lanes are the real and the imaginary part of one signal. The real part of
// two such signals' correlation is the sum of their parts' correlations, and the denominator is
// even, so the two need not be separated.
//
// Contract  `respond` returns a number for each shift by a cell; no shift is at `size / 2` on each
//           axis. The target itself scores 1.
// Order     Channels are summed lane by lane, then the lanes by halves, by frequency.
// Cost      One transform of 16 complex channels per call.
//===----------------------------------------------------------------------===//

/// A filter on a square grid of cells.
struct CorrelationFilter {
  /// The filter's options.
  struct Parameters {
    /// The weight of a new sample, 0...1.
    var learningRate: Float
    /// Keeps frequencies without energy from being amplified.
    var regularization: Float
  }

  /// The weights of the cells.
  private struct Window {
    let weights: [Float]
    /// The cells with a weight above zero.
    let range: CellRange

    init(rows: [Float], columns: [Float]) {
      weights = rows.flatMap { row in columns.map { row * $0 } }
      range = CellRange(rows: Window.range(rows), columns: Window.range(columns))
    }

    private static func range(_ weights: [Float]) -> Range<Int> {
      let first = weights.firstIndex { $0 > 0 } ?? 0
      return first..<((weights.lastIndex { $0 > 0 } ?? first) + 1)
    }
  }

  let size: Int
  private let parameters: Parameters
  private let fourier: FourierTransform
  /// The weights for searching and for learning. Learning is limited to cells near the target, so
  /// that the filter does not learn the background.
  private let hannWindow: Window
  private let focus: Window
  /// The spectrum of the bell, which is real because the bell is even.
  private let gaussian: [Float]
  // By columns of frequencies: the model, its energy, and the factor of the response.
  private var modelReal: [SIMD16<Float>]
  private var modelImaginary: [SIMD16<Float>]
  private var energies: [Float]
  private var scales: [Float]
  private var isEmpty = true
  // Reused buffers: the rows' spectra, one line of them, and a response.
  private var real: [SIMD16<Float>]
  private var imaginary: [SIMD16<Float>]
  private var line: Line
  private var answer: Answer

  /// Creates a filter on `size` times `size` cells. Its response is a bell with a standard
  /// deviation of `deviation` cells; it learns the area of `focus` cells around the center.
  init(
    size: Int, deviation: Float, focus: (width: Float, height: Float), parameters: Parameters
  ) {
    self.size = size
    self.parameters = parameters
    fourier = FourierTransform(length: size)
    let count = size * size
    let hann = WindowFunction.hann(size)
    hannWindow = Window(rows: hann, columns: hann)
    self.focus = Window(
      rows: WindowFunction.raisedCosine(size, width: focus.height),
      columns: WindowFunction.raisedCosine(size, width: focus.width))
    modelReal = [SIMD16<Float>](repeating: .zero, count: count)
    modelImaginary = modelReal
    energies = [Float](repeating: 0, count: count)
    scales = energies
    real = modelReal
    imaginary = modelReal
    line = Line(size: size)
    answer = Answer(size: size)
    // The bell is the product of its profiles, and so is its spectrum.
    let profile = Line.spectrum(WindowFunction.gaussian(size, deviation: deviation), fourier)
    gaussian = profile.flatMap { column in profile.map { column * $0 } }
  }

  /// The cells that `learn` reads, and the cells around them, which their normalization needs.
  var learned: CellRange {
    let (rows, columns) = (focus.range.rows, focus.range.columns)
    return CellRange(
      rows: max(rows.lowerBound - 1, 0)..<min(rows.upperBound + 1, size),
      columns: max(columns.lowerBound - 1, 0)..<min(columns.upperBound + 1, size))
  }

  /// Learns the cells of a window with the target in its center.
  mutating func learn(_ cells: [Cell]) {
    transformRows(cells, focus)
    let rate = isEmpty ? 1 : parameters.learningRate
    let kept = 1 - rate
    isEmpty = false
    for column in 0..<size {
      transformColumn(column, focus)
      for row in 0..<size {
        let (a, b) = (line.real[row], line.imaginary[row])
        let index = column &* size &+ row
        let gain = gaussian[index] * rate
        modelReal[index] = modelReal[index] * kept + a * gain
        modelImaginary[index] = modelImaginary[index] * kept + b * gain
        energies[index] = energies[index] * kept + (a * a + b * b).total * rate
      }
    }
    for column in 0..<size {
      for row in 0..<size {
        // A frequency and its mirror image get the mean of both energies.
        let mirror = ((size - column) % size) * size + (size - row) % size
        let index = column * size + row
        let energy = (energies[index] + energies[mirror]) / 2
        scales[index] = 1 / (energy + parameters.regularization)
      }
    }
  }

  /// Computes how well the target fits at each shift of the window with these cells.
  mutating func respond(to cells: [Cell], into response: inout [Float]) {
    transformRows(cells, hannWindow)
    for column in 0..<size {
      transformColumn(column, hannWindow)
      for row in 0..<size {
        let (a, b) = (line.real[row], line.imaginary[row])
        let index = column &* size &+ row
        let (c, d) = (modelReal[index], modelImaginary[index])
        line.real[row] = c * a + d * b
        line.imaginary[row] = c * b - d * a
      }
      // Totals are a separate loop: otherwise the compiler computes the products lane by lane.
      for row in 0..<size {
        let scale = scales[column &* size &+ row]
        answer.set(
          line.real[row].total * scale, line.imaginary[row].total * scale, row: row,
          at: fourier.places[column])
      }
    }
    answer.transform(fourier)
    let half = size / 2
    let scale = 1 / Float(size * size)
    for row in 0..<size {
      for column in 0..<size {
        response[((row + half) % size) * size + (column + half) % size] =
          answer[row, column] * scale
      }
    }
  }

  /// Computes the spectra of the weighted rows of cells.
  private mutating func transformRows(_ cells: [Cell], _ window: Window) {
    for row in window.range.rows {
      line.clear()
      for column in window.range.columns {
        let index = row &* size &+ column
        let weight = window.weights[index]
        line.real[fourier.places[column]] = cells[index].low * weight
        line.imaginary[fourier.places[column]] = cells[index].high * weight
      }
      line.transform(fourier)
      for column in 0..<size {
        real[row &* size &+ column] = line.real[column]
        imaginary[row &* size &+ column] = line.imaginary[column]
      }
    }
  }

  /// Computes the spectrum of a column of the rows' spectra, in `line`.
  private mutating func transformColumn(_ column: Int, _ window: Window) {
    line.clear()
    for row in window.range.rows {
      line.real[fourier.places[row]] = real[row &* size &+ column]
      line.imaginary[fourier.places[row]] = imaginary[row &* size &+ column]
    }
    line.transform(fourier)
  }
}

/// The inverse transform of one square of frequencies, all lines at once.
private struct Answer {
  private let size: Int
  private var real: [Float]
  private var imaginary: [Float]
  private var turnedReal: [Float]
  private var turnedImaginary: [Float]

  init(size: Int) {
    self.size = size
    real = [Float](repeating: 0, count: size * size)
    imaginary = real
    turnedReal = real
    turnedImaginary = real
  }

  /// Sets the frequency in row `row` of the column stored at `place`.
  @inline(__always)
  mutating func set(_ value: Float, _ imaginaryValue: Float, row: Int, at place: Int) {
    real[place &* size &+ row] = value
    imaginary[place &* size &+ row] = imaginaryValue
  }

  /// The real part of the inverse transform.
  @inline(__always)
  subscript(row: Int, column: Int) -> Float { turnedReal[row &* size &+ column] }

  mutating func transform(_ fourier: FourierTransform) {
    fourier.transform(&real, &imaginary, chunks: size / 4, inverse: true)
    for row in 0..<size {
      let start = fourier.places[row] &* size
      for column in 0..<size {
        turnedReal[start &+ column] = real[column &* size &+ row]
        turnedImaginary[start &+ column] = imaginary[column &* size &+ row]
      }
    }
    fourier.transform(&turnedReal, &turnedImaginary, chunks: size / 4, inverse: true)
  }
}
