/**
 * A conversation without a socket, a microphone or waiting: everything between the transport and the providers is the
 * product's own, on a clock that jumps. What the agents say takes its time, so that it can be interrupted.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadSettings } from "@voice/shared/config/load";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { createRuleModel } from "@voice/streaming-host/providers/local/rule-model/rule-model";
import { connectConversation } from "@voice/streaming-host/server/conversation-connection";
import { createConversationServices } from "@voice/streaming-host/server/conversation-services";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { hasAnswer, latestState, readReply } from "../caller/reply.ts";
import { dialogueStartMs } from "./dialogue-clock.ts";
import { storeProfile } from "./dialogue-profile.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { RecordingTransport } from "./recording-transport.ts";

const stepMs = 40;
/** A fast speaker: less to wait for, and still long enough to be interrupted. */
const msPerCharacter = 25;
/** Longer than anything between two parts of one answer. */
const quietMs = 200;
/** How long nothing at all may happen. */
const patienceMs = 8000;
const settings = loadSettings({});

export function createTypedLines(catalog: Catalog): OpenDialogueLine {
  return async (dialogue) => {
    const clock = new VirtualClock(dialogueStartMs);
    const state = createMemoryState({ clock, logger: silentLogger });
    const transport = new RecordingTransport(clock);
    const services = createConversationServices({
      hostId: "host-dialogues",
      settings,
      state,
      catalog,
      tools: builtInTools,
      findTool: (name) => builtInTools.get(name),
      providers: {
        recogniser: new FakeRecogniser(),
        synthesiser: new FakeSynthesiser(clock, msPerCharacter),
        languageModel: createRuleModel({ clock }),
        createVoiceActivityDetector: () => ({ isSpeech: () => false, close: () => undefined }),
      },
      clock,
      logger: silentLogger,
    });
    const { scenario, agent } = dialogue;
    const profileId = await storeProfile(dialogue, state.profiles);
    const connection = await connectConversation({
      transport,
      request: { channel: "browser", streamingMode: "REALTIME", scenario, agent, profileId },
      clock,
      logger: silentLogger,
      startSession: (...request) => services.start(...request),
      checkStart: (...wish) => services.checkStart(...wish),
      onClosed: () => undefined,
    });
    let first = 0;
    let sinceMs = clock.now();
    const reply = () => readReply(transport.records.slice(first), sinceMs);

    async function until(isOver: () => boolean): Promise<void> {
      const fromMs = clock.now();
      while (!isOver()) {
        if (clock.now() - Math.max(fromMs, transport.lastActivityMs) > patienceMs)
          throw new VoiceError("upstream_timeout", `nothing within ${patienceMs} ms`);
        await clock.advanceAsync(stepMs, stepMs);
      }
    }

    return {
      get reply() {
        return reply();
      },
      async act(action) {
        first = transport.records.length;
        sinceMs = clock.now();
        if (action.kind === "dtmf") transport.events.onDigits(action.keys);
        else transport.events.onText(action.text);
      },
      hearOut: () =>
        until(() => {
          if (clock.now() - transport.lastActivityMs < quietMs) return false;
          if (reply().ended !== undefined) return true;
          return latestState(transport.records) === "listening" && hasAnswer(reply());
        }),
      async hearBeginning(afterMs) {
        await until(() => reply().firstAudioMs !== undefined);
        await clock.advanceAsync(afterMs, stepMs);
      },
      async close() {
        await connection.close("finished");
        await state.close();
      },
    };
  };
}
