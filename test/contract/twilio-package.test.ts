/** What we do in place of the package `twilio` is what that package does (decision 064): `test/fixtures/twilio/describe-package.mjs`. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { isSignedByTwilio, twilioSignature } from "@voice/shared/calls/twilio/signature";
import { toTwiml, type Verb } from "@voice/shared/calls/twilio/twiml";
import { TwilioRestClient } from "@voice/streaming-host/providers/twilio/rest-client";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { listen } from "../../local/emulators/listen.ts";
import { readBody } from "../../local/emulators/read-body.ts";

const value = z.union([z.string(), z.number(), z.array(z.string())]);
const fields = z.record(z.string(), value);
const { accountSid, authToken, callSid, signed, documents, requests } = z
  .object({
    accountSid: z.string(),
    authToken: z.string(),
    callSid: z.string(),
    signed: z.array(z.object({ url: z.string(), fields, signature: z.string() })),
    documents: z.record(z.string(), z.string()),
    requests: z.array(
      z.object({ method: z.string(), uri: z.string(), data: fields.optional(), params: fields.optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, "../fixtures/twilio/package-6.3.1.json"), "utf8")));

function pairs(of: z.infer<typeof fields>): [string, string][] {
  return Object.entries(of).flatMap(([name, given]) => [given].flat().map((one): [string, string] => [name, `${one}`]));
}

describe("[TWILIO-2] a signature", () => {
  it.each(signed)("is the package's own: $url", ({ url, fields: given, signature }) => {
    expect(twilioSignature(authToken, url, pairs(given))).toBe(signature);
    expect(isSignedByTwilio({ url, fields: pairs(given), signature }, ["another", authToken])).toBe(true);
  });

  it.each(signed)("is of one address, one set of fields and one account: $url", ({ url, fields: given, signature }) => {
    const form = pairs(given);
    expect(isSignedByTwilio({ url: `${url}x`, fields: form, signature }, [authToken])).toBe(false);
    expect(isSignedByTwilio({ url, fields: [...form, ["X", "1"]], signature }, [authToken])).toBe(false);
    expect(isSignedByTwilio({ url, fields: form, signature }, ["another"])).toBe(false);
    expect(isSignedByTwilio({ url, fields: form, signature: undefined }, [authToken])).toBe(false);
    expect(isSignedByTwilio({ url, fields: form, signature: "" }, [authToken])).toBe(false);
  });

  it("is accepted with the standard port and without, and of a socket with a slash behind its address", () => {
    const signature = twilioSignature(authToken, "https://h:443/p");
    expect(isSignedByTwilio({ url: "https://h/p", signature }, [authToken])).toBe(true);
    expect(isSignedByTwilio({ url: "https://h:8443/p", signature }, [authToken])).toBe(false);
    const socket = twilioSignature(authToken, "wss://h/p/");
    expect(isSignedByTwilio({ url: "wss://h/p", signature: socket }, [authToken])).toBe(true);
  });
});

describe("a document", () => {
  const number = { statusCallback: "https://b/r", statusCallbackEvent: "answered" };
  const written: Readonly<Record<string, readonly Verb[]>> = {
    stream: [
      {
        name: "Connect",
        content: [{ name: "Stream", attributes: { url: "wss://h/s", statusCallback: "https://b/r?a=1&b=2" } }],
      },
      { name: "Redirect", attributes: { method: "POST" }, content: "https://b/n?a=1&b=2" },
    ],
    dial: [
      {
        name: "Dial",
        attributes: { action: "https://b/n?a=1", method: "POST", timeout: 5, callerId: "+12025550100" },
        content: [{ name: "Number", attributes: number, content: "+12025550150" }],
      },
    ],
    play: [
      { name: "Play", attributes: { digits: "1ww2" } },
      { name: "Pause", attributes: { length: 2 } },
      { name: "Play", attributes: { loop: 0 }, content: "https://b/a.wav?x=<&>" },
    ],
    reject: [{ name: "Reject", attributes: { reason: "busy" } }],
    hangUp: [{ name: "Hangup" }],
  };

  it.each(Object.entries(documents))("is written as the package writes it: %s", (name, document) => {
    expect(toTwiml(...(written[name] ?? []))).toBe(document);
  });

  it("holds no character that XML cannot hold", () => {
    expect(toTwiml({ name: "Play", content: "a\u0000\u001f\ufffeb" })).toContain("<Play>ab</Play>");
  });
});

describe("a request", () => {
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it("is sent as the package sends it", async () => {
    const seen: { method: string; uri: string; form: string; authorization: string | undefined }[] = [];
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await readBody(request, 65_536);
      const url = new URL(request.url ?? "/", "https://api.twilio.com");
      const form = request.method === "POST" ? body.toString() : url.search.slice(1);
      const { authorization } = request.headers;
      seen.push({ method: request.method ?? "", uri: url.origin + url.pathname, form, authorization });
      response.end(JSON.stringify({ sid: callSid, status: "queued", calls: [] }));
    };
    const server = await listen((request, response) => void take(request, response));
    closing.push(() => server.close());
    const access = { accountSid, authToken, requestTimeoutMs: 5000 };
    const client = new TwilioRestClient({ ...access, apiUrl: `http://${server.host}` });
    const [create, end, instruct, , list] = requests;
    await client.create("", asText(create?.data));
    await client.update("", callSid, asText(end?.data));
    await client.update("", callSid, asText(instruct?.data));
    await client.fetch("", callSid);
    await client.list("", asText(list?.params));
    expect(seen.map(({ method, uri }) => ({ method, uri }))).toEqual(
      requests.map(({ method, uri }) => ({ method, uri })),
    );
    for (const [index, { data, params }] of requests.entries())
      expect([...new URLSearchParams(seen[index]?.form)]).toEqual(pairs(data ?? params ?? {}));
    const ours = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${ours}`]));
  });
});

function asText(given: z.infer<typeof fields> = {}) {
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, Array.isArray(one) ? one : String(one)] as const),
  );
}
