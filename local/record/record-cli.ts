/** `npm run record -- TARGET`: writes one conversation with a real service down, for the doubles to be held against. */
import { loadSettings } from "@voice/shared/config/load";
import { readEnvironment } from "@voice/shared/config/read-environment";
import { namedSettings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import { z } from "zod";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { problemOf } from "../doctor/problem-of.ts";
import { recordConversation } from "./record.ts";
import { recordingTargets, writeRecording } from "./recording.ts";

const tool = {
  name: "npm run record",
  help: `Holds one short conversation with a real service and writes its messages down, without secrets and without words.

  npm run record -- chat               the language model
  npm run record -- openai-realtime    a realtime model behind OPENAI_BASE_URL
  npm run record -- voice-live         Voice Live
  npm run record -- speech             recognition and synthesis (CLOUD_SPEECH_ENDPOINT, or OPENAI_STT_BASE_URL)

  --out FILE     where to; test/fixtures/recordings/TARGET.captured.jsonl without it

The settings come from the environment and from local.settings.json, as for the service. A conversation costs a few cents. The tests hold
the doubles of this repository against every file in test/fixtures/recordings.`,
  options: { out: z.string().optional() },
  allowPositionals: true,
};

const longestMs = 120_000;

const { values, positionals } = readToolArguments(tool);
const target = recordingTargets.find((name) => name === positionals[0]);
if (target === undefined || positionals.length > 1) refuseArguments(tool, `name one of ${recordingTargets.join(", ")}`);

const environment = readEnvironment();
const secrets = namedSettings.flatMap(({ name, secret }) => (secret ? [environment[name] ?? ""] : []));
const file = values.out ?? `test/fixtures/recordings/${target}.captured.jsonl`;
try {
  const recording = await recordConversation({
    target,
    settings: loadSettings({ ...environment, LOG_LEVEL: "silent" }),
    secrets,
    clock: systemClock,
    signal: AbortSignal.timeout(longestMs),
  });
  await writeRecording(file, recording);
  console.log(
    `${recording.messages.length} messages of ${recording.origin} are in ${file}. Read it before you share it.`,
  );
  process.exit(0);
} catch (error) {
  console.error(`Nothing was recorded: ${problemOf(error)}`);
  process.exit(1);
}
