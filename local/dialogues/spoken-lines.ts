/** The same conversations over a real socket: spoken by a synthetic voice, recognised, answered in real time. */
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadSettings } from "@voice/shared/config/load";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { composeHost } from "@voice/streaming-host/compose";
import { createLocalRecogniser } from "@voice/streaming-host/providers/local/recogniser/local-recogniser";
import { createRuleModel } from "@voice/streaming-host/providers/local/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import type { FliteVoice } from "@voice/streaming-host/providers/local/synthesiser/voices";
import { loadVoiceActivity } from "@voice/streaming-host/providers/local/voice-activity/local-voice-activity";
import { connectCaller } from "../caller/caller.ts";
import type { Caller } from "../caller/caller.ts";
import { speakText } from "../caller/line-audio.ts";
import { readReply } from "../caller/reply.ts";
import { createDialogueClock } from "./dialogue-clock.ts";
import { storeProfile } from "./dialogue-profile.ts";
import type { DialogueLine, OpenDialogueLine } from "./dialogue-line.ts";
import type { CallerAction } from "./dialogue.ts";

export interface SpokenLines {
  readonly open: OpenDialogueLine;
  close(): Promise<void>;
}

/** Of the voices there are, the one whose digits the local recogniser mistakes least. */
export const defaultCallerVoice: FliteVoice = "rms";
const replyTimeoutMs = 12_000;
/** Longer than any dialogue should be; a caller and an agent that go in circles end here. */
const callLimitMs = 180_000;

export async function createSpokenLines(catalog: Catalog, callerVoice = defaultCallerVoice): Promise<SpokenLines> {
  const clock = createDialogueClock();
  const settings = loadSettings({});
  const state = createMemoryState({ clock, logger: silentLogger });
  const [recogniser, synthesiser, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ workers: availableParallelism(), logger: silentLogger }),
    createLocalSynthesiser({ logger: silentLogger }),
    loadVoiceActivity(),
  ]);
  const providers = {
    recogniser,
    synthesiser,
    createVoiceActivityDetector,
    languageModel: createRuleModel({ clock }),
  };
  const host = await composeHost({
    settings,
    state,
    catalog,
    tools: builtInTools,
    logger: silentLogger,
    clock,
    providers,
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    if (!host.host.handleUpgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = new URL(`ws://127.0.0.1:${port}/api/v1/browser/conversation`);

  async function say(caller: Caller, action: CallerAction): Promise<void> {
    if (action.kind === "dtmf") caller.press(action.keys);
    else if (action.kind === "type") caller.type(action.text);
    else {
      const { sample_rate: sampleRateHz } = caller.session;
      await caller.speak(await speakText(synthesiser, { text: action.text, voice: callerVoice, sampleRateHz }));
    }
  }

  return {
    async open(dialogue): Promise<DialogueLine> {
      const { scenario, agent } = dialogue;
      const profileId = await storeProfile(dialogue, state.profiles);
      const callUrl = new URL(url);
      if (profileId !== undefined) callUrl.searchParams.set("profile_id", profileId);
      const hangUp = new AbortController();
      const caller = await connectCaller({ url: callUrl, scenario, agent, signal: hangUp.signal });
      const cancelLimit = clock.setTimer(callLimitMs, () =>
        hangUp.abort(new VoiceError("upstream_timeout", `the call lasted ${callLimitMs} ms, its limit`)),
      );
      let first = 0;
      /** From the caller's last sample; known once an answer was waited for. */
      let firstAudioMs: number | undefined;
      return {
        get reply() {
          return { ...readReply(caller.records.slice(first), 0), firstAudioMs };
        },
        async act(action) {
          first = caller.records.length;
          firstAudioMs = undefined;
          await say(caller, action);
        },
        async hearOut() {
          ({ firstAudioMs } = await caller.waitForReply({ timeoutMs: replyTimeoutMs }));
        },
        async hearBeginning(afterMs) {
          await caller.waitForAgentAudio(replyTimeoutMs);
          await caller.pause(afterMs);
        },
        async close() {
          cancelLimit();
          caller.close();
        },
      };
    },
    async close() {
      await host.close(0);
      server.close();
      server.closeAllConnections();
      await state.close();
    },
  };
}
