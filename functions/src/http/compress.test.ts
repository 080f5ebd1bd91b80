import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { compress } from "./compress.ts";

const text = "The API in many words. ".repeat(200);

it.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["identity", undefined],
  ["", undefined],
  [undefined, undefined],
])("[PUBLISH-3] answers a client that accepts %j in the coding %j", async (accepted, coding) => {
  const { headers, bytes, ...reply } = await compress({ status: 200, text }, accepted);
  expect(headers).toMatchObject({ vary: "Accept-Encoding", ...(coding && { "content-encoding": coding }) });
  if (coding === undefined) return expect(reply.text).toBe(text);
  if (!(bytes instanceof Uint8Array)) throw new Error("nothing was compressed");
  expect(bytes.length).toBeLessThan(text.length / 10);
  return expect((coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()).toBe(text);
});

it("keeps the type of JSON, and leaves a short answer as it is", async () => {
  const { headers } = await compress({ status: 200, body: { text } }, "gzip");
  expect(headers).toMatchObject({ "content-type": "application/json", "content-encoding": "gzip" });
  expect(await compress({ status: 200, body: { ok: true } }, "gzip")).toEqual({ status: 200, body: { ok: true } });
});
