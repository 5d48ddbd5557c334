//===--- TextTable.swift - tables with aligned columns --------------------===//

/// A text table with a heading and rows; numbers are right-aligned.
package struct TextTable {
  package enum Alignment {
    case left
    case right
  }

  package let columns: [(title: String, alignment: Alignment)]
  /// The rows that were not taken.
  private var rows: [[String]] = []
  /// The widths of the columns so far; empty before the heading was taken.
  private var widths: [Int] = []
  /// The least width of the first column.
  private let leastWidth: Int

  /// - Parameter leastWidth: The width of the first column if the widest cell comes later.
  package init(_ columns: [(title: String, alignment: Alignment)], leastWidth: Int = 0) {
    self.columns = columns
    self.leastWidth = leastWidth
  }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row of printable cells; missing cells are empty.
  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }

  /// Removes the rows and returns their lines, the first time behind the heading. Columns are as wide
  /// as all rows so far need.
  package mutating func takeLines() -> [String] {
    let lines = (widths.isEmpty ? [columns.map(\.title)] : []) + rows
    if widths.isEmpty { widths = columns.indices.map { $0 == 0 ? leastWidth : 0 } }
    rows = []
    for column in columns.indices {
      widths[column] = lines.reduce(widths[column]) {
        column < $1.count ? max($0, $1[column].count) : $0
      }
    }
    return lines.map(line)
  }

  private func line(_ row: [String]) -> String {
    var line = ""
    for (column, width) in widths.enumerated() {
      let cell = column < row.count ? row[column] : ""
      let space = String(repeating: " ", count: width - cell.count)
      line += (column == 0 ? "" : "  ")
      line += columns[column].alignment == .left ? cell + space : space + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension TextTable: CustomStringConvertible {
  package var description: String {
    var table = self
    return table.takeLines().joined(separator: "\n")
  }
}
