/** `npm run phone`: see phone-arguments.ts for what it takes. Exit code 0 only when there was a conversation. */
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { VoiceError } from "@voice/shared/platform/errors";
import type { PersonAction } from "../person/action.ts";
import { runPersonCommand } from "../person/run-command.ts";
import { readTypedLines } from "../person/typed-lines.ts";
import type { TypedLines } from "../person/typed-lines.ts";
import { describeCall } from "./describe-call.ts";
import { directionOf, parsePhoneArguments, phoneHelp } from "./phone-arguments.ts";
import type { PhoneSettings } from "./phone-arguments.ts";
import { phoneCallLine, phoneCallsPath } from "./phone-controls.ts";
import type { PhoneCallRequest } from "./phone-controls.ts";
import { isPhoneAction } from "./phone-script.ts";

async function call(actions: readonly PersonAction[], settings: PhoneSettings, hangUp: AbortSignal): Promise<boolean> {
  const { url, out, type: isTyped, voice, stay: staysOnTheLine } = settings;
  const { "interrupt-after": interruptAfterMs, "pick-up-after": pickUpAfterMs } = settings;
  const machine = settings.machine === undefined ? undefined : { greeting: settings.machine, beeps: true };
  const wanted: PhoneCallRequest = {
    direction: directionOf(settings),
    isTyped,
    script: { actions: actions.filter(isPhoneAction), voice, interruptAfterMs, pickUpAfterMs, staysOnTheLine, machine },
  };
  const typing = isTyped ? readTypedLines(process.stdin) : undefined;
  let talked = false;
  try {
    for await (const text of createInterface({ input: await startCall(url, wanted, typing, hangUp) })) {
      if (text === "") continue;
      const line = phoneCallLine.parse(JSON.parse(text));
      if (line.kind === "heard") talked = true;
      const described = describeCall(line);
      if (described !== undefined) console.log(described);
      if (line.kind !== "recording" || out === undefined) continue;
      await writeFile(out, Buffer.from(line.wav, "base64"));
      console.log(`saved ${out} (phone left, service right)`);
    }
  } finally {
    typing?.close();
  }
  return talked;
}

/** Reports the course of the call, line by line. */
async function startCall(
  url: URL,
  wanted: PhoneCallRequest,
  typing: TypedLines | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  const body = ReadableStream.from(requestLines(wanted, typing));
  const response = await fetch(new URL(phoneCallsPath, url), { method: "POST", body, duplex: "half", signal }).catch(
    (cause: unknown) => {
      throw new VoiceError("upstream_unavailable", `no telephone network at ${url.href}: is npm start running?`, {
        cause,
      });
    },
  );
  if (response.ok && response.body !== null) return Readable.fromWeb(response.body);
  throw new VoiceError("upstream_unavailable", `${url.host} refused the call: ${await response.text()}`);
}

/** The call that is requested, followed by the lines that are typed during it. */
async function* requestLines(wanted: PhoneCallRequest, typing: TypedLines | undefined): AsyncGenerator<Uint8Array> {
  const encode = (line: unknown): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`);
  yield encode(wanted);
  if (typing === undefined) return;
  for await (const action of typing) yield encode(action);
}

await runPersonCommand({
  name: "phone",
  help: phoneHelp,
  parsed: parsePhoneArguments(process.argv.slice(2)),
  run: call,
});
