/** `npm run caller`: see caller-arguments.ts for what it takes. Exit code 0 only when every line was answered. */
import { writeFile } from "node:fs/promises";

import { VoiceError } from "@voice/shared/platform/errors";
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";
import { systemClock } from "@voice/shared/platform/clock";
import { encodeWav } from "@voice/streaming-host/audio/wav";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";

import { runCall } from "./call-script.ts";
import { formatLine, latencyLine, transcriptLines, type TranscriptLine } from "./call-transcript.ts";
import { callerHelp, parseCallerArguments, type CallerArguments, type CallerLine } from "./caller-arguments.ts";
import { connectCaller, type Caller } from "./caller.ts";
import { readRecording, speakText } from "./line-audio.ts";
import type { Reply } from "./reply.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function call(settings: CallerArguments, signal: AbortSignal): Promise<number> {
  const startMs = systemClock.now();
  const print = (line: TranscriptLine): void => console.log(formatLine(systemClock.now() - startMs, line));
  const synthesiser = await createLocalSynthesiser();
  let caller: Caller | undefined;
  try {
    caller = await connectCaller({
      url: settings.url,
      scenario: settings.scenario,
      agent: settings.agent,
      signal,
      onMessage: (message: ServerMessage) => transcriptLines(message).forEach(print),
    });
    const replies = await runCall(caller, {
      lines: settings.lines,
      interruptAfterMs: settings.interruptAfterMs,
      timeoutMs: settings.timeoutMs,
      toSamples: (line, sampleRateHz) =>
        line.kind === "wav"
          ? readRecording(line.path, sampleRateHz)
          : speakText(synthesiser, { text: line.text, voice: settings.voice, sampleRateHz }),
      onLine: (line) => print(describeLine(line)),
      onReply: (reply) => print(latencyLine(reply)),
    });
    return report(replies);
  } finally {
    caller?.close();
    await synthesiser.close();
    if (caller !== undefined && settings.out !== undefined) await save(caller, settings.out, settings.mono);
  }
}

function report(replies: readonly Reply[]): number {
  const errors = replies.flatMap((reply) => reply.errors);
  if (errors.length > 0)
    console.error(`caller: the service reported ${errors.length} error(s), the first: ${errors[0]?.code}`);
  return errors.length > 0 ? EXIT_FAILED : 0;
}

async function save(caller: Caller, path: string, mono: boolean): Promise<void> {
  const { recording } = caller;
  const samples = mono ? recording.agentOnly() : recording.stereo();
  const channels = mono ? 1 : 2;
  await writeFile(path, encodeWav({ sampleRateHz: recording.sampleRateHz, channels, samples }));
  const seconds = samples.length / channels / recording.sampleRateHz;
  console.log(`saved ${path} (${seconds.toFixed(1)} s, ${mono ? "the agent" : "caller left, agent right"})`);
}

function describeLine(line: CallerLine): TranscriptLine {
  switch (line.kind) {
    case "say":
      return { label: "you say", text: line.text };
    case "wav":
      return { label: "you say", text: line.path };
    case "type":
      return { label: "you type", text: line.text };
    case "dtmf":
      return { label: "you press", text: line.keys };
    case "silence":
      return { label: "you wait", text: `${line.durationMs} ms` };
  }
}

async function main(): Promise<number> {
  const parsed = parseCallerArguments(process.argv.slice(2));
  if (parsed.kind === "help") {
    console.log(callerHelp);
    return 0;
  }
  if (parsed.kind === "invalid") {
    console.error(`caller: ${parsed.message}\n\n${callerHelp}`);
    return EXIT_USAGE;
  }
  const hangUp = new AbortController();
  process.once("SIGINT", () => hangUp.abort(new VoiceError("session_expired", "you hung up")));
  const limit = setTimeout(
    () => hangUp.abort(new VoiceError("upstream_timeout", `the call lasted ${parsed.arguments.limitMs} ms, its limit`)),
    parsed.arguments.limitMs,
  );
  try {
    return await call(parsed.arguments, hangUp.signal);
  } catch (error) {
    const reason: unknown = hangUp.signal.aborted ? hangUp.signal.reason : error;
    console.error(`caller: ${reason instanceof Error ? reason.message : String(reason)}`);
    return EXIT_FAILED;
  } finally {
    clearTimeout(limit);
  }
}

process.exitCode = await main();
