/** `npm run line-delay`: how long a real telephone line takes, told from the recording of a call to a phone that repeats. */
import { readFile } from "node:fs/promises";
import { toVoiceError } from "@voice/shared/platform/errors";
import { pickChannel } from "@voice/provider-kit/audio/channels";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import { wholeNumber } from "../command-line/option-kinds.ts";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { findEcho } from "./echo-delay.ts";

const tool = {
  name: "npm run line-delay",
  help: `Says what COMM_PLAYOUT_BUFFER_MS should be for a telephone line.

  npm run line-delay -- recording.wav

Call a phone that repeats what it hears, with "record_call": true: the number of an echo test, or a phone on loudspeaker in a
quiet room that nobody speaks into. Set RECORDING_ANNOUNCEMENT to two sentences before: nothing interrupts them. The recording
is what GET /sessions/{id}/recording answers: the phone's side on the left, the agent's on the right.

  --buffer-ms MS   COMM_PLAYOUT_BUFFER_MS of the host that held the call; default 200

Exit code 1 where the phone's side does not repeat the agent's.`,
  options: { "buffer-ms": wholeNumber(0, 60_000).default(200) },
  allowPositionals: true,
};

async function main(): Promise<number> {
  const {
    values: { "buffer-ms": bufferMs },
    positionals,
  } = readToolArguments(tool);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) return refuseArguments(tool, "which recording?");
  const { samples, channels, sampleRateHz } = decodeWav(await readFile(path));
  if (channels !== 2) return refuseArguments(tool, `${path} does not have the two sides of a call`);
  const echo = findEcho(pickChannel(samples, 2, 1), pickChannel(samples, 2, 0), sampleRateHz);
  if (echo === undefined) {
    process.stdout.write("The phone's side does not repeat the agent's.\n");
    return 1;
  }
  const thereAndBackMs = echo.delayMs + bufferMs;
  process.stdout.write(`The line takes ${thereAndBackMs} ms there and back (likeness ${echo.likeness.toFixed(2)}).
The way there takes half of that where both ways are alike, and more where the service keeps audio for the way there:
COMM_PLAYOUT_BUFFER_MS=${Math.round(thereAndBackMs / 2)} is the least, ${thereAndBackMs} the most.\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${tool.name}: ${toVoiceError(error).message}\n`);
  process.exitCode = 1;
}
