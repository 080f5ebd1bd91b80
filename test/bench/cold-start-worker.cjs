/**
 * As little of a Functions worker as a cold start needs: gives the app its core API, loads the entry file, and answers one
 * GET /health. JavaScript, so that no time goes into TypeScript. Argument: the bundle's folder. Prints JSON.
 */
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const registered = new Map();
let model;
class Disposable {
  dispose() {}
}
const api = {
  version: "4.1037.0",
  hostVersion: "4.1037.0",
  Disposable,
  setProgrammingModel: (given) => (model = given),
  getProgrammingModel: () => model,
  registerFunction(metadata, callback) {
    registered.set(metadata.name, { metadata, callback });
    return new Disposable();
  },
  registerHook: () => new Disposable(),
  log: () => undefined,
};
const original = Module.prototype.require;
Module.prototype.require = new Proxy(original, {
  apply: (target, module, args) => (args[0] === "@azure/functions-core" ? api : Reflect.apply(target, module, args)),
});

async function start() {
  const folder = path.resolve(process.argv[2]);
  const { main } = require(path.join(folder, "package.json"));
  const beforeLoad = performance.now();
  await import(pathToFileURL(path.join(folder, main)).href);
  const loadMs = performance.now() - beforeLoad;
  const { metadata, callback } = registered.get("health");
  const [inputName] = Object.keys(metadata.bindings);
  const http = { method: "GET", url: "http://127.0.0.1/api/v1/health", headers: {}, query: {}, params: {} };
  const invocation = model.getInvocationModel({
    invocationId: "cold-start",
    metadata,
    request: { inputData: [{ name: inputName, data: { http } }], triggerMetadata: {}, traceContext: {} },
    log: () => undefined,
  });
  const { context, inputs } = await invocation.getArguments();
  const result = await invocation.invokeFunction(context, inputs, callback);
  const { returnValue } = await invocation.getResponse(context, result);
  const status = Number(returnValue.http.statusCode);
  const answeredAtMs = Date.now();
  const { user, system } = process.cpuUsage();
  const processorMs = (user + system) / 1000;
  process.stdout.write(JSON.stringify({ loadMs, answeredAtMs, processorMs, status }), () => process.exit(0));
}

start().catch((error) => {
  process.stderr.write(`${error.stack}\n`, () => process.exit(1));
});
