/**
 * Tools that fail in every way while a caller speaks: their services send back what they were sent, are gone, or answer
 * nonsense, and code throws with the customer's data. Nothing of that is in a log line, a metric, a trace, an error body, a
 * heartbeat, the flight record, or what the client and the history are told of the tools.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { createLogger } from "@voice/shared/platform/logger";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, portOf, startService } from "../../local/service.ts";
import { connectBrowser, type Browser } from "../support/browser-client.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { neverOverloaded } from "../support/never-overloaded.ts";
import { wordsAlone } from "../support/words-alone.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { eventually } from "../support/wait.ts";

const secret = "Qx7markerSecretQx7";
/** What the customer's record has; the caller says none of it. */
const personal = ["Zebulontha", "2025550187"];
const forbidden = [secret, Buffer.from(secret).toString("base64"), ...personal];

let folder: string;
let service: Server;

/** Each way to fail has an address. */
async function failToAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const heard = JSON.stringify({ url: request.url, headers: request.headers, body: await text(request) });
  if (request.url?.startsWith("/lost") === true) request.socket.destroy();
  else if (request.url?.startsWith("/token") === true)
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ error: "invalid_client", error_description: heard }));
  else if (request.url?.startsWith("/echo") === true)
    response.writeHead(200, { "content-type": "application/json" }).end(heard);
  else response.writeHead(500, { "x-heard": encodeURIComponent(heard).slice(0, 500) }).end(heard);
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "failing-tools-"));
  service = createServer((request, response) => void failToAnswer(request, response));
  await listen(service, { port: 0, host: "127.0.0.1" });
});

afterAll(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

const waysToFail = ["refused", "lost", "echo"] as const;
/** Of the service that answers with success, the answer is the result, which may be about the customer. */
const about = `  query: { key: "{{ customer.phone }}" }\n  body: { name: "{{ customer.name }}" }\n`;
const codeFailures = ["throws", "rejects_with_code", "wrong_result"] as const;

/** An agent with one intent for each tool. */
function writeCatalog(host: string): string {
  const catalog = path.join(folder, "catalog");
  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(catalog, file)), { recursive: true });
    writeFileSync(path.join(catalog, file), content);
  };
  for (const way of waysToFail)
    write(
      `tools/order_${way}.yaml`,
      `description: Fails.
request:
  method: POST
  url: http://${host}/${way}?code=${secret}
  headers: { Authorization: "Bearer {{ secrets.TOKEN }}" }
${way === "echo" ? "" : about}`,
    );
  const tools = [...waysToFail.map((way) => `order_${way}`), ...codeFailures.map((way) => `code_${way}`)];
  write("agents/clerk/agent.yaml", `description: Fails.\ngreeting: Yes?\ntools: [${tools.join(", ")}]\n`);
  write("agents/clerk/prompt.md", "You are a clerk whose tools fail.\n");
  write(
    "agents/clerk/rules.yaml",
    `intents:\n${tools
      .map(
        (tool) =>
          `  ${tool}:\n    examples: [please ${tool.replaceAll("_", " ")} now]\n    call: { tool: ${tool} }\n    say: That is done.\n`,
      )
      .join("")}`,
  );
  write("scenarios/desk.yaml", "description: One agent.\nagents: [clerk]\nstart_agent: clerk\n");
  return catalog;
}

function writeCode(): string {
  const code = path.join(folder, "code");
  mkdirSync(code, { recursive: true });
  cpSync(new URL("../fixtures/failing-tools/tools.js", import.meta.url), path.join(code, "tools.js"));
  writeFileSync(path.join(code, "package.json"), '{ "type": "module" }');
  return code;
}

function toolCalls(browser: Browser): readonly object[] {
  return browser.of("event").filter(({ name }) => name === "tool_call");
}

describe("tools that fail while a caller speaks", () => {
  it("[CODE-5a] [MCP-2b] leave no secret and nothing of the customer in any output", async () => {
    const host = `localhost:${portOf(service)}`;
    await using receiver = await startOtlpReceiver();
    const settings = loadSettings({
      ...neverOverloaded,
      ...wordsAlone,
      PORT: "0",
      CATALOG_DIR: writeCatalog(host),
      AGENT_SCENARIO: "desk",
      TOOLS_DIR: writeCode(),
      TOOL_HOSTS: host,
      TOOL_PRIVATE_HOSTS: host,
      TOOL_SECRETS: `TOKEN=${secret}`,
      MCP_SERVERS: JSON.stringify([
        {
          name: "guarded",
          url: `http://${host}/mcp`,
          headers: { "x-key": secret },
          oauth: { client_id: "voice", client_secret: "{{ secrets.TOKEN }}", token_url: `http://${host}/token` },
        },
      ]),
      FLIGHT_RECORDER: "true",
      TELEMETRY: "otlp",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector=${secret}`,
    });
    const telemetry = await loadTelemetry(
      {
        settings,
        name: "voice",
        version: "1",
        exportsLogs: true,
        identity: identityOf(settings, () => import("@voice/shared/config/cloud")),
      },
      () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
    );
    const lines: string[] = [];
    const logger = createLogger({
      level: "debug",
      name: "test",
      destination: { write: (line: string) => void lines.push(line) },
      also: telemetry.log,
    });
    const running = await startService({ settings, logger, telemetry, localSpeech: servicesSpeech });
    const url = `http://127.0.0.1:${running.port}/api/v1`;
    const outputs: string[] = [];
    try {
      const browser = await connectBrowser(`${url.replace("http", "ws")}/browser/conversation`);
      for (const tool of [...waysToFail.map((way) => `order ${way}`), ...codeFailures.map((way) => `code ${way}`)]) {
        const before = toolCalls(browser).length;
        browser.send({ type: "text", text: `please ${tool.replaceAll("_", " ")} now` });
        await eventually(() => toolCalls(browser).length >= before + 2, `${tool} was tried`);
      }
      const { sessionId } = browser;
      await browser.close();
      for (const asked of [
        "sessions/{id}",
        "sessions/{id}/metrics",
        "sessions/{id}/flight-record",
        "sessions/{id}/messages",
        "sessions/{id}/model-requests",
        "readiness",
        "system",
      ])
        outputs.push(await (await fetch(`${url}/${asked.replace("{id}", sessionId)}`)).text());
      outputs.push(JSON.stringify(toolCalls(browser)), JSON.stringify(await running.state.hosts.list()));
    } finally {
      await running.close(0);
      await telemetry.close();
    }
    const markersIn = (output: string): string[] => forbidden.filter((marker) => output.includes(marker));
    expect(lines.filter((line) => markersIn(line).length > 0)).toEqual([]);
    expect(outputs.map(markersIn)).toEqual(outputs.map(() => []));
    expect(markersIn(receiver.text())).toEqual([]);
    // Each of them has failed as it was to, and was told.
    for (const failed of ["a tool of TOOLS_DIR failed", "tool server is not connected"])
      expect(lines.join("")).toContain(failed);
    for (const told of ["outcome_unknown", "with the status 500", "internal_error", "Bearer ***"])
      expect(outputs.join("")).toContain(told);
    expect(receiver.spans.map(({ name }) => name)).toContain("turn");
  });
});
