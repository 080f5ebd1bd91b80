/**
 * How another process uses the phones: one request per call, answered line by line (JSON) while the call goes on. Its first
 * line says what to do, and later lines carry what is typed meanwhile. Closing the connection hangs up.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toVoiceError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import { z } from "zod";
import { personAction } from "../person/action.ts";
import { voiceSetting } from "../person/command-line.ts";
import { phoneNumbers } from "./phone-book.ts";
import { isPhoneAction } from "./phone-script.ts";
import type { PhoneAction, PhoneEvent, PhoneScript } from "./phone-script.ts";
import type { ScriptedPhone } from "./scripted-phone.ts";

export const phoneCallsPath = "/phone/calls";
/** Where `npm start` puts the telephone network. */
export const defaultPhonePort = 8090;
export const defaultPhoneUrl = `http://127.0.0.1:${defaultPhonePort}`;

const phoneAction = personAction.refine(isPhoneAction, "a phone can neither type nor play a file");

const phoneCallRequest = z.object({
  direction: z.enum(["inbound", "outbound", "platform"]),
  script: z.object({
    actions: z.array(phoneAction).max(100),
    voice: voiceSetting.optional(),
    interruptAfterMs: z.number().positive().optional(),
    pickUpAfterMs: z.number().nonnegative().optional(),
    staysOnTheLine: z.boolean().optional(),
    machine: z.object({ greeting: z.string().min(1).max(2000), beeps: z.boolean() }).optional(),
  }),
  /** Further lines follow, and their end is the end of the call. */
  isTyped: z.boolean().optional(),
});

export type PhoneCallRequest = z.infer<typeof phoneCallRequest>;

const atMs = z.number();

/** The course of the call, line by line. `recording` is a WAV file: the phone on the left, the service on the right. */
export const phoneCallLine = z.discriminatedUnion("kind", [
  /** The phone is ready, and nobody has called it yet. `serviceUrl` is the service that may call it. */
  z.object({ kind: z.literal("waiting"), number: z.string(), serviceUrl: z.string() }),
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
  z.object({ kind: z.literal("transcribed"), atMs, label: z.string(), text: z.string() }),
  z.object({ kind: z.literal("ended"), atMs, why: z.string() }),
  z.object({ kind: z.literal("recording"), wav: z.base64() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

export type PhoneCallLine = z.infer<typeof phoneCallLine>;

interface Phones {
  /** The address of the service that calls these phones. */
  readonly serviceUrl: string;
  call(script: PhoneScript, onEvent: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
  expectCall(script: PhoneScript, onEvent: (event: PhoneEvent) => void): ScriptedPhone;
  callThroughPlatform(script: PhoneScript, onEvent: (event: PhoneEvent) => void): Promise<ScriptedPhone>;
}

/** HTTP clients give up on a connection that is silent for minutes. */
const sayStillThereMs = 60_000;
const largestLineLength = 256 * 1024;

/** False for a request that is not for the phones. */
export function createPhoneControls(phones: Phones): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.method !== "POST" || request.url !== phoneCallsPath) return false;
    serveCall(phones, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
    return true;
  };
}

async function serveCall(phones: Phones, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const lines = readLines(request);
  const wanted = phoneCallRequest.safeParse((await lines.next()).value);
  if (!wanted.success) {
    response.writeHead(400, { "content-type": "text/plain" }).end(z.prettifyError(wanted.error));
    return;
  }
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.flushHeaders(); // it may take long until the call comes
  const stillThere = setInterval(() => response.write("\n"), sayStillThereMs);
  const tell = (line: PhoneCallLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
  };
  const leaves = new AbortController();
  response.once("close", () => leaves.abort());
  const script: PhoneScript = {
    ...wanted.data.script,
    leaves: leaves.signal,
    ...(wanted.data.isTyped === true ? { typed: actionsIn(lines) } : {}),
  };
  try {
    const { recording } = await talkOnPhone(phones, wanted.data.direction, script, tell);
    if (recording !== undefined) {
      const wav = encodeWav({ sampleRateHz: recording.sampleRateHz, channels: 2, samples: recording.stereo() });
      tell({ kind: "recording", wav: Buffer.from(wav).toString("base64") });
    }
  } catch (error) {
    tell({ kind: "failed", message: toVoiceError(error).message });
  }
  clearInterval(stillThere);
  response.end();
}

/** Resolves when the call is over. */
async function talkOnPhone(
  phones: Phones,
  direction: PhoneCallRequest["direction"],
  script: PhoneScript,
  tell: (event: PhoneCallLine) => void,
): Promise<ScriptedPhone> {
  if (direction === "inbound") return phones.call(script, tell);
  if (direction === "platform") return phones.callThroughPlatform(script, tell);
  const phone = phones.expectCall(script, tell);
  tell({ kind: "waiting", number: phoneNumbers.person, serviceUrl: phones.serviceUrl });
  await phone.finished;
  return phone;
}

async function* actionsIn(lines: AsyncIterable<unknown>): AsyncGenerator<PhoneAction> {
  for await (const line of lines) yield phoneAction.parse(line);
}

/** Parses JSON line by line; a line that is not valid is refused with the schema's message. */
async function* readLines(request: IncomingMessage): AsyncGenerator {
  request.setEncoding("utf8");
  let rest = "";
  for await (const part of request) {
    const lines = `${rest}${String(part)}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > largestLineLength) throw new RangeError("the line is too long");
    yield* lines.map(parseJson);
  }
  if (rest !== "") yield parseJson(rest);
}
