/** `npm run caller`: see caller-arguments.ts for what it takes. Exit code 0 only when every line was answered. */
import { writeFile } from "node:fs/promises";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import { systemClock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { PersonAction } from "../person/action.ts";
import { describeAction } from "../person/describe-action.ts";
import { followScript } from "../person/follow-script.ts";
import type { ScriptEvents } from "../person/follow-script.ts";
import { createVoice, readRecordings } from "../person/line-audio.ts";
import type { Reply } from "../person/reply.ts";
import { runPersonCommand } from "../person/run-command.ts";
import { formatLine, latencyLine, transcriptLines } from "../person/transcript.ts";
import type { TranscriptLine } from "../person/transcript.ts";
import { createBrowserLine } from "./browser-line.ts";
import { callerHelp, parseCallerArguments } from "./caller-arguments.ts";
import type { CallerSettings } from "./caller-arguments.ts";
import { connectCaller } from "./caller.ts";
import type { Caller } from "./caller.ts";

const startMs = systemClock.now();

function print(line: TranscriptLine): void {
  console.log(formatLine(systemClock.now() - startMs, line));
}

async function call(actions: readonly PersonAction[], settings: CallerSettings, hangUp: AbortSignal): Promise<boolean> {
  const recordings = await readRecordings(actions);
  const synthesiser = await createLocalSynthesiser();
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new VoiceError("upstream_timeout", `the call lasted ${settings.limit} ms, its limit`));
  }, settings.limit);
  try {
    const caller = await connectCaller({
      url: settings.url,
      scenario: settings.scenario,
      agent: settings.agent,
      signal: AbortSignal.any([hangUp, limit.signal]),
      onMessage: (message) => transcriptLines(message).forEach(print),
    });
    try {
      return hasWorked(await converse(caller, actions, settings, createVoice(synthesiser, settings.voice, recordings)));
    } finally {
      caller.close();
      if (settings.out !== undefined) await save(caller, settings.out, settings.mono);
    }
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
    await synthesiser.close();
  }
}

async function converse(
  caller: Caller,
  actions: readonly PersonAction[],
  { timeout: timeoutMs, "interrupt-after": interruptAfterMs }: CallerSettings,
  toSamples: ScriptEvents["toSamples"],
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  const onReply = (reply: Reply): void => {
    replies.push(reply);
    print(latencyLine(reply.firstAudioMs));
  };
  const line = createBrowserLine(caller, timeoutMs, onReply);
  const onAction = (action: PersonAction): void => describeAction(action).forEach(print);
  const undone = await followScript(line, { actions, interruptAfterMs }, { toSamples, onAction });
  if (undone > 0)
    throw new VoiceError("session_expired", `the agent ended the conversation with ${undone} line(s) left to say`);
  return replies;
}

function hasWorked(replies: readonly Reply[]): boolean {
  const errors = replies.flatMap((reply) => reply.errors);
  if (errors.length > 0)
    console.error(`caller: the service reported ${errors.length} error(s), the first: ${errors[0]?.code}`);
  return errors.length === 0;
}

async function save(caller: Caller, path: string, mono: boolean): Promise<void> {
  const { recording } = caller;
  const samples = mono ? recording.agentOnly() : recording.stereo();
  const channels = mono ? 1 : 2;
  await writeFile(path, encodeWav({ sampleRateHz: recording.sampleRateHz, channels, samples }));
  const seconds = samples.length / channels / recording.sampleRateHz;
  console.log(`saved ${path} (${seconds.toFixed(1)} s, ${mono ? "the agent" : "caller left, agent right"})`);
}

await runPersonCommand({
  name: "caller",
  help: callerHelp,
  parsed: parseCallerArguments(process.argv.slice(2)),
  run: call,
});
