/** `npm run replay`: replays a conversation through today's turn machine. Exit code 0 only where it decides as it did then. */
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { replayFlight } from "@voice/streaming-host/session/flight/replay-flight";
import { describeStep } from "@voice/streaming-host/session/flight/describe-step";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { flightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import type { FlightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import { testFileOf } from "@voice/streaming-host/session/flight/record-as-test";
import { z } from "zod";

/** What the service says of a request that it refuses (RFC 9457). */
const problem = z.object({ detail: z.string() });

interface RecordSource {
  /** A file that ends in `.json`, or a session's id. */
  readonly name: string;
  readonly url: URL;
  /** The token of somebody who may see the session; undefined where authentication is off. */
  readonly token: string | undefined;
}

/**
 * A flight record from wherever it is: a file, or a session of a running service. Rejects with what is wrong in one
 * sentence.
 */
async function readRecord(source: RecordSource): Promise<FlightRecord> {
  const text = source.name.endsWith(".json") ? await readFile(source.name, "utf8") : await fetchRecord(source);
  const parsed = flightRecord.safeParse(jsonOf(text, source.name));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VoiceError(
    "validation_error",
    `${source.name} is no flight record that this version can read: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new VoiceError("validation_error", `${name} is not JSON`, { cause });
  }
}

async function fetchRecord({ name, url, token }: RecordSource): Promise<string> {
  const target = new URL(`/api/v1/sessions/${encodeURIComponent(name)}/flight-record`, url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(target, { headers }).catch((cause: unknown) => {
    throw new VoiceError("upstream_unavailable", `no service at ${url.href}: is npm start running?`, { cause });
  });
  const text = await response.text();
  if (response.ok) return text;
  const refused = problem.safeParse(jsonOf(text, target.href));
  throw new VoiceError("not_found", refused.success ? refused.data.detail : `${target.href} says ${response.status}`);
}

const folder = fileURLToPath(new URL("../../streaming-host/src/session/flight/kept", import.meta.url));

/**
 * Makes a test of a flight record: `kept-records.test.ts` in `streaming-host/src/session/flight` replays every record in the folder beside
 * it. It stores the decisions that today's code makes, so check them before you keep a record. Resolves with the file's path. Rejects
 * where there is one of that name.
 */
async function keepAsTest(name: string, { segments }: FlightRecord): Promise<string> {
  const { fileName, text } = testFileOf(name, segments);
  const path = `${folder}/${fileName}`;
  await writeFile(path, text, { flag: "wx" }).catch((cause: unknown) => {
    throw new VoiceError("conflict", `${path} cannot be written: choose another name, or delete it first`, { cause });
  });
  return path;
}

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
    options: {
      url: z.url("expects an address such as http://localhost:8080").default("http://localhost:8080"),
      token: z.string().optional(),
      different: z.boolean().default(false),
      keep: z.string().optional(),
    },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    return refuseArguments(tool, "expects one session, or the file of its flight record");
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
