/** Wires the page to the browser: the only place that names sockets, sound, time and chance. */
import { systemClock } from "@voice/shared/platform/clock";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";

import { createServiceApi } from "./api/service-api.ts";
import { AudioEngine } from "./audio/audio-engine.ts";
import { describeMicrophoneProblem } from "./audio/microphone-problem.ts";
import { CatalogSession } from "./catalog/catalog-session.ts";
import { openBrowserSocket, socketUrl } from "./connection/open-browser-socket.ts";
import { Store } from "./store.ts";
import { TalkSession } from "./talk/talk-session.ts";
import { WatchSession } from "./watch/watch-session.ts";

export interface Console {
  readonly catalog: CatalogSession;
  readonly talk: TalkSession;
  readonly watch: WatchSession;
  /** Apart from the sessions' own state, because they change fifty times a second. */
  readonly talkLevels: Levels;
  readonly watchLevels: Levels;
}

/** 0 (silence) to 1 (full scale). */
export interface Levels {
  readonly caller: Store<number>;
  readonly agent: Store<number>;
}

export function createConsole(): Console {
  const api = createServiceApi((input, init) => fetch(input, init));
  const talkLevels = { caller: new Store(0), agent: new Store(0) };
  const watchLevels = { caller: new Store(0), agent: new Store(0) };
  const connection = { clock: systemClock, random: Math.random, openSocket: openBrowserSocket };
  let sound: Promise<AudioEngine> | undefined;
  return {
    catalog: new CatalogSession(api, systemClock),
    talk: new TalkSession({
      ...connection,
      socketUrl: (query) => socketUrl("/api/v1/browser/conversation", query),
      openSound: () => {
        sound ??= AudioEngine.open({ onPlaybackLevel: (level) => talkLevels.agent.set(level) }).catch((error) => {
          sound = undefined; // the next click tries again
          throw error;
        });
        return sound;
      },
      describeSoundProblem: (error) => describeMicrophoneProblem(error, window.isSecureContext),
      onMicrophoneLevel: (level) => talkLevels.caller.set(level),
    }),
    watch: new WatchSession({
      ...connection,
      api,
      socketUrl: (query) => socketUrl("/api/v1/browser/dashboard/relay", query),
      onLevels: ({ input, output }: ServerPayloads["audio_levels"]) => {
        watchLevels.caller.set(input);
        watchLevels.agent.set(output);
      },
    }),
    talkLevels,
    watchLevels,
  };
}
