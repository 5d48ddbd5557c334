//===--- main.swift - a server for the files of a folder ------------------===//
//
// Prints its URL and serves FOLDER until it is killed, at most RATE bytes a second per response.
//
// usage: static-server FOLDER [RATE]
//===----------------------------------------------------------------------===//

import Foundation
import MartletTestServer

func serve(_ folder: OfferedFolder, rate: Int?) throws {
  let server = try HTTPServer { request, connection throws(SocketError) in
    try connection.send(folder.response(request), to: request, rate: rate)
  }
  print("http://127.0.0.1:\(server.port)/")
  fflush(nil)
  server.run()
}

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
  print("usage: static-server FOLDER [RATE]")
  exit(2)
}
try serve(OfferedFolder(URL(filePath: path)), rate: arguments.dropFirst().first.flatMap { Int($0) })
