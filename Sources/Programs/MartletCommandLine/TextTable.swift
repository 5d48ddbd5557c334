//===--- TextTable.swift - tables with aligned columns --------------------===//

/// A text table with a heading and rows; numbers are right-aligned.
package struct TextTable {
  package enum Alignment {
    case left
    case right
  }

  package let columns: [(title: String, alignment: Alignment)]
  package private(set) var rows: [[String]] = []

  package init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row of printable cells; missing cells are empty.
  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }
}

extension TextTable: CustomStringConvertible {
  package var description: String {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in
      all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return all.map { row in
      var line = ""
      for (column, width) in widths.enumerated() {
        let cell = column < row.count ? row[column] : ""
        let space = String(repeating: " ", count: width - cell.count)
        line += (column == 0 ? "" : "  ")
        line += columns[column].alignment == .left ? cell + space : space + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
