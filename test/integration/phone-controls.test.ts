/** Another process that uses the phones of the local telephone network; the phones are the test's own. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPhoneControls, phoneCallsPath } from "../../local/phone/phone-controls.ts";
import type { PhoneAction, PhoneScript } from "../../local/phone/phone-script.ts";
import { ScriptedPhone } from "../../local/phone/scripted-phone.ts";

const request = { direction: "inbound", script: { actions: [] } };

let server: Server;
let url: URL;
/** What the phones do with a call; it is over when this has resolved. */
let talk: (script: PhoneScript) => Promise<void>;

beforeEach(async () => {
  async function call(script: PhoneScript): Promise<ScriptedPhone> {
    await talk(script);
    return new ScriptedPhone({ script, clock: systemClock, speakText: async () => new Int16Array() });
  }
  const nobody = (): never => {
    throw new VoiceError("internal_error", "there are no such phones here");
  };
  const serve = createPhoneControls({
    serviceUrl: "http://service.test",
    call,
    expectCall: nobody,
    callThroughPlatform: nobody,
  });
  server = createServer((incoming, response) => void serve(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server has no port");
  url = new URL(phoneCallsPath, `http://127.0.0.1:${address.port}`);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

it("hands on what is typed, whenever it comes and however it is cut, until nothing more does", async () => {
  const done: PhoneAction[] = [];
  talk = async ({ typed }) => {
    if (typed !== undefined) for await (const action of typed) done.push(action);
  };
  const say = JSON.stringify({ kind: "say", text: "yes" });
  const body = `${JSON.stringify({ ...request, isTyped: true })}\n${say}\n${JSON.stringify({ kind: "press", keys: "1#" })}`;
  async function* inPieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += 7) {
      await new Promise(setImmediate);
      yield Buffer.from(body.slice(at, at + 7));
    }
  }
  const response = await fetch(url, { method: "POST", body: ReadableStream.from(inPieces()), duplex: "half" });
  await response.text();
  expect(done).toEqual([
    { kind: "say", text: "yes" },
    { kind: "press", keys: "1#" },
  ]);
});

it("answers before anybody has called, and hangs up when the caller's connection breaks", async () => {
  const left = Promise.withResolvers<void>();
  talk = ({ leaves }) => {
    leaves?.addEventListener("abort", () => left.resolve());
    return left.promise;
  };
  const away = new AbortController();
  const response = await fetch(url, { method: "POST", body: JSON.stringify(request), signal: away.signal });
  expect(response.status).toBe(200);
  away.abort();
  await left.promise;
});

it("refuses what is no call, in words", async () => {
  const response = await fetch(url, { method: "POST", body: "nonsense" });
  expect(response.status).toBe(400);
});
