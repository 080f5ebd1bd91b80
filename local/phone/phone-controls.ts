/** How another process uses the phones: one request per call, answered line by line (JSON) while the call goes on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toVoiceError } from "@voice/shared/platform/errors";
import { encodeWav } from "@voice/streaming-host/audio/wav";
import { z } from "zod";
import type { PhoneEvent, PhoneScript } from "./phone-script.ts";
import type { ScriptedPhone } from "./scripted-phone.ts";

export const phoneCallsPath = "/phone/calls";
/** Where `npm start` puts the telephone network. */
export const defaultPhonePort = 8090;
export const defaultPhoneUrl = `http://127.0.0.1:${defaultPhonePort}`;

const action = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("say"), text: z.string().min(1).max(2000) }),
  z.object({ kind: z.literal("press"), keys: z.string().regex(/^[0-9*#A-D]{1,32}$/) }),
  z.object({ kind: z.literal("listen") }),
]);

const phoneCallRequest = z.object({
  direction: z.enum(["inbound", "outbound", "platform"]),
  script: z.object({
    actions: z.array(action).max(100),
    interruptAfterMs: z.number().positive().optional(),
    pickUpAfterMs: z.number().nonnegative().optional(),
    staysOnTheLine: z.boolean().optional(),
    machine: z.object({ greeting: z.string().min(1).max(2000), beeps: z.boolean() }).optional(),
  }),
});

export type PhoneCallRequest = z.infer<typeof phoneCallRequest>;

const atMs = z.number();

/** What became of the call, line by line. `recording` is a WAV file: the phone on the left, the service on the right. */
export const phoneCallLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ringing"),
    from: z.string(),
    to: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ kind: z.literal("picked-up"), rangMs: z.number() }),
  z.object({ kind: z.literal("heard"), atMs, forMs: z.number(), answeredInMs: z.number() }),
  z.object({ kind: z.literal("said"), atMs, text: z.string() }),
  z.object({ kind: z.literal("pressed"), atMs, keys: z.string() }),
  z.object({ kind: z.literal("beeped"), atMs }),
  z.object({ kind: z.literal("keys-heard"), atMs, keys: z.string() }),
  z.object({ kind: z.literal("nothing-heard"), atMs }),
  z.object({ kind: z.literal("ended"), atMs, why: z.string() }),
  z.object({ kind: z.literal("recording"), wav: z.base64() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

export type PhoneCallLine = z.infer<typeof phoneCallLine>;

interface Phones {
  call(script: PhoneScript, onEvent: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
  expectCall(script: PhoneScript, onEvent: (event: PhoneEvent) => void): ScriptedPhone;
  callThroughPlatform(script: PhoneScript, onEvent: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
}

const largestBodyBytes = 256 * 1024;

/** False for a request that is not about phones. */
export function createPhoneControls(phones: Phones): (request: IncomingMessage, response: ServerResponse) => boolean {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted = phoneCallRequest.safeParse(await readJson(request));
    if (!wanted.success) {
      response.writeHead(400, { "content-type": "text/plain" }).end(z.prettifyError(wanted.error));
      return;
    }
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const tell = (line: PhoneCallLine): void => {
      response.write(`${JSON.stringify(line)}\n`);
    };
    try {
      const phone = await use(wanted.data, tell);
      const { recording } = phone;
      if (recording !== undefined) {
        const wav = encodeWav({ sampleRateHz: recording.sampleRateHz, channels: 2, samples: recording.stereo() });
        tell({ kind: "recording", wav: Buffer.from(wav).toString("base64") });
      }
    } catch (error) {
      tell({ kind: "failed", message: toVoiceError(error).message });
    }
    response.end();
  }

  async function use(
    { direction, script }: PhoneCallRequest,
    tell: (event: PhoneEvent) => void,
  ): Promise<ScriptedPhone> {
    if (direction === "inbound") return phones.call(script, tell);
    if (direction === "platform") return phones.callThroughPlatform(script, tell);
    const phone = phones.expectCall(script, tell);
    await phone.finished;
    return phone;
  }

  return (request, response) => {
    if (request.method !== "POST" || request.url !== phoneCallsPath) return false;
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    return true;
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > largestBodyBytes) throw new RangeError("the request body is too large");
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused with the schema's words
  }
}
