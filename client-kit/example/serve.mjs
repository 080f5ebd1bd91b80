// `node client-kit/example/serve.mjs [--port 5173] [--service http://localhost:8080]`: a page of another origin than the service's.
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "5173" },
    service: { type: "string", default: "http://localhost:8080" },
  },
});
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const server = createServer((request, response) => {
  const name = (request.url ?? "/").split("?", 1)[0].slice(1) || "index.html";
  const file = join(import.meta.dirname, name);
  if (!/^[\w-]+\.(?:html|js|css)$/.test(name) || !existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader("content-type", `${types[extname(name)]}; charset=utf-8`);
  if (name.endsWith(".css")) createReadStream(file).pipe(response);
  else response.end(readFileSync(file, "utf8").replaceAll("http://localhost:8080", values.service));
});
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
