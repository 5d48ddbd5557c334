// The package in a browser: node browser.mjs CHROMIUM IMAGE FOLDERS... Each folder is a site, whose page posts its results.
// Prints them, a line for each folder. OTHER in a page is the address of the same server by another origin.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";

const [chromium, image, ...folders] = process.argv.slice(2);
const types = { html: "text/html", js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };

async function results(folder) {
  let received;
  const result = new Promise((resolve) => { received = resolve; });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      response.end();
      received(Buffer.concat(await request.toArray()).toString());
      return;
    }
    const path = request.url === "/" ? "index.html" : request.url.slice(1);
    try {
      const body = readFileSync(path === "image" ? image : join(folder, path));
      response.writeHead(200, {
        "Content-Type": types[path.split(".").pop()] ?? "application/octet-stream", "Access-Control-Allow-Origin": "*",
      });
      const { port } = server.address();
      response.end(path === "index.html" ? String(body).replace("OTHER", `http://localhost:${port}`) : body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const profile = mkdtempSync(resolve("profile-"));
  const browser = spawn(chromium, [
    "--headless=new", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ], { stdio: "ignore" });
  const late = setTimeout(() => received("no results within two minutes"), 120_000);
  const line = await result;
  clearTimeout(late);
  browser.kill();
  await new Promise((done) => browser.once("exit", done));
  server.closeAllConnections();
  server.close();
  return line;
}

for (const folder of folders) console.log(await results(folder));
