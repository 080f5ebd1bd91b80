/** `npm run replay`: replays a conversation through today's turn machine. Exit code 0 only where it decides as it did then. */
import { toVoiceError } from "@voice/shared/platform/errors";
import { replayFlight } from "@voice/streaming-host/session/flight/replay-flight";
import { describeStep } from "@voice/streaming-host/session/flight/describe-step";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { keepAsTest } from "./keep-as-test.ts";
import { readRecord } from "./read-record.ts";

const help = `Replays what the turn machine met in a conversation, step by step, and shows what it decides today.

  npm run replay -- SESSION                    a session of the service at --url, which ran with FLIGHT_RECORDER=true
  npm run replay -- session.json               what GET /sessions/{id}/flight-record answered
  npm run replay -- session.json --different   only the steps that are decided differently now
  npm run replay -- session.json --keep "the caller interrupts twice"   makes a test of it

  --url URL      default http://localhost:8080
  --token TOKEN  of an operator or of the session's owner; where authentication is on

A record has the caller's words. Read it before you keep it.`;

const tool = { name: "npm run replay", help };

const exitDiffers = 1;
const exitUsage = 2;

async function main(): Promise<number> {
  const { values, positionals } = readToolArguments({
    ...tool,
    config: {
      options: {
        url: { type: "string", default: "http://localhost:8080" },
        token: { type: "string" },
        different: { type: "boolean", default: false },
        keep: { type: "string" },
      },
      allowPositionals: true,
    },
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    return refuseArguments(tool, "expects one session, or the file of its flight record");
  if (!URL.canParse(values.url)) return refuseArguments(tool, "--url expects an address such as http://localhost:8080");
  const record = await readRecord({ name, url: new URL(values.url), token: values.token });
  const steps = replayFlight(record.segments);
  for (const step of steps)
    if (!values.different || !step.isSame) for (const line of describeStep(step)) console.log(line);
  const differing = steps.filter(({ isSame, followsDifference }) => !isSame && !followsDifference);
  console.log(
    differing.length === 0
      ? `${steps.length} steps, each decided as it was then.`
      : `${steps.length} steps; ${differing.length} decided differently now, not counting what follows from them.`,
  );
  if (values.keep === undefined) return differing.length === 0 ? 0 : exitDiffers;
  console.log(`kept as a test: ${await keepAsTest(values.keep, record)}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`replay: ${error instanceof Error && "code" in error ? error.message : toVoiceError(error).message}`);
  process.exitCode = exitUsage;
}
