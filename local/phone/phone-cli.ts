/** `npm run phone`: see phone-arguments.ts for what it takes. Exit code 0 only when there was a conversation. */
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Interface } from "node:readline";
import { Readable } from "node:stream";
import { parsePhoneArguments, phoneHelp, typedAction } from "./phone-arguments.ts";
import type { PhoneArguments } from "./phone-arguments.ts";
import { phoneCallLine, phoneCallsPath } from "./phone-controls.ts";
import type { PhoneCallLine, PhoneCallRequest } from "./phone-controls.ts";

const exitFailed = 1;
const exitUsage = 2;

async function call({ url, call: wanted, out }: PhoneArguments, signal: AbortSignal): Promise<number> {
  if (wanted.direction === "outbound") console.log("waiting for the service to call: POST /api/v1/calls/initiate");
  const typing = wanted.isTyped === true ? createInterface({ input: process.stdin }) : undefined;
  const response = await fetch(new URL(phoneCallsPath, url), {
    method: "POST",
    body: ReadableStream.from(requestLines(wanted, typing)),
    duplex: "half",
    signal,
  });
  if (!response.ok || response.body === null) {
    console.error(`phone: ${await response.text()}`);
    return exitFailed;
  }
  let talked = false;
  for await (const text of createInterface({ input: Readable.fromWeb(response.body) })) {
    if (text === "") continue;
    const line = phoneCallLine.parse(JSON.parse(text));
    if (line.kind === "heard") talked = true;
    if (line.kind === "recording" && out !== undefined) await writeFile(out, Buffer.from(line.wav, "base64"));
    const said = describe(line, out);
    if (said !== undefined) console.log(said);
    if (line.kind === "ended") typing?.close();
  }
  return talked ? 0 : exitFailed;
}

/** The call that is wanted, and then whatever is typed during it. */
async function* requestLines(wanted: PhoneCallRequest, typing: Interface | undefined): AsyncGenerator<Uint8Array> {
  const encode = (line: unknown): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`);
  yield encode(wanted);
  if (typing === undefined) return;
  for await (const line of typing) {
    const action = typedAction(line);
    if (action !== undefined) yield encode(action);
  }
}

function describe(line: PhoneCallLine, out: string | undefined): string | undefined {
  switch (line.kind) {
    case "ringing":
      return `ringing: ${line.from} calls ${line.to}`;
    case "picked-up":
      return `picked up after ${seconds(line.rangMs)}`;
    case "heard":
      return `${at(line.atMs)} heard ${seconds(line.forMs)} of speech, beginning ${seconds(line.answeredInMs)} after the last word`;
    case "said":
      return `${at(line.atMs)} you say: ${line.text}`;
    case "pressed":
      return `${at(line.atMs)} you press: ${line.keys}`;
    case "beeped":
      return `${at(line.atMs)} the machine beeps and records`;
    case "keys-heard":
      return `${at(line.atMs)} the service presses: ${line.keys}`;
    case "nothing-heard":
      return `${at(line.atMs)} nothing is heard`;
    case "ended":
      return `${at(line.atMs)} ${line.why}`;
    case "recording":
      return out === undefined ? undefined : `saved ${out} (phone left, service right)`;
    case "failed":
      return `failed: ${line.message}`;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function at(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(6);
}

async function main(): Promise<number> {
  const parsed = parsePhoneArguments(process.argv.slice(2));
  if (parsed.kind === "help") {
    console.log(phoneHelp);
    return 0;
  }
  if (parsed.kind === "invalid") {
    console.error(`phone: ${parsed.message}\n\n${phoneHelp}`);
    return exitUsage;
  }
  const hangUp = new AbortController();
  process.once("SIGINT", () => hangUp.abort());
  try {
    return await call(parsed.arguments, hangUp.signal);
  } catch (error) {
    if (!hangUp.signal.aborted)
      console.error(
        `phone: no telephone network at ${parsed.arguments.url.href}: is npm start running? (${String(error)})`,
      );
    return exitFailed;
  }
}

process.exitCode = await main();
