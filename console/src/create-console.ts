/** Wires the page to the browser: the only place that names sockets, sound, time and chance. */
import { systemClock } from "@voice/shared/platform/clock";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";

import { Answers } from "./api/answers.ts";
import type { OnceItAnswers } from "./api/answers.ts";
import { createBuildApi } from "./api/build-api.ts";
import type { BuildApi } from "./api/build-api.ts";
import { createCostsApi } from "./api/costs-api.ts";
import { createCallsApi } from "./api/calls-api.ts";
import { createHttp } from "./api/request.ts";
import { describeProblem } from "./api/api-problem.ts";
import { createTicketRequest } from "./api/request-ticket.ts";
import { createServiceApi } from "./api/service-api.ts";
import { createSystemApi } from "./api/system-api.ts";
import type { ServiceApi } from "./api/service-api.ts";
import workletUrl from "@voice/client-kit/audio/worklets?worker&url";
import { AudioEngine, listLoudspeakers, listMicrophones } from "@voice/client-kit/audio/audio-engine";
import type { MicrophoneSource } from "@voice/client-kit/audio/microphone-switch";
import { describeMicrophoneProblem } from "@voice/client-kit/audio/microphone-problem";
import { BuildSession, storedDrafts } from "./build/build-session.ts";
import type { Levels } from "./components/speech-trail.ts";
import { createLists } from "./create-lists.ts";
import { DialoguesSession } from "./build/dialogues-session.ts";
import { CallsSession } from "./calls/calls-session.ts";
import { CatalogSession } from "./catalog/catalog-session.ts";
import { pageSurroundings } from "@voice/client-kit/connection/surroundings";
import type { SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import { createSocketAddress } from "@voice/client-kit/connection/socket-address";
import type { SocketAddress } from "@voice/client-kit/connection/socket-address";
import { storedPendingSignIn, storedTokens } from "./sign-in/stored-sign-in.ts";
import { createOpenIdClient } from "./sign-in/openid-client.ts";
import { browserChannel, OtherTabs } from "./sign-in/other-tabs.ts";
import { SignInSession } from "./sign-in/sign-in-session.ts";
import { fromHistory } from "./conversation/from-history.ts";
import { StoredValue } from "./stored-value.ts";
import { createPhone } from "./phone/create-phone.ts";
import { Store } from "@voice/client-kit/store";
import { HealthSession } from "./system/health-session.ts";
import { SystemSession } from "./system/system-session.ts";
import { storedTheme, ThemeChoice } from "./theme.ts";
import { CustomerSession } from "./talk/customer-session.ts";
import { SoundSettings, soundChoice } from "./talk/sound-settings.ts";
import { storedConversation, TalkSession } from "./talk/talk-session.ts";
import { createChoiceCheck } from "@voice/client-kit/connection/check-choice";
import { readLink } from "./talk/conversation-choice.ts";
import { forgetKeptTexts } from "./use-kept-text.ts";
import { ListenSession } from "./watch/listen-session.ts";
import { OperatorSession } from "./watch/operator-session.ts";
import { CostSession } from "./watch/cost-session.ts";
import { TakeoverSession } from "./watch/takeover-session.ts";
import { RecordingSession } from "./watch/recording-session.ts";
import { LiveLevels } from "./watch/live-levels.ts";
import { RequestsSession } from "./watch/requests-session.ts";
import { WatchSession } from "./watch/watch-session.ts";
import { WatchedCall } from "./watch/watched-call.ts";

/** Everything that the pages share; a page takes what it needs. */
export type Console = ReturnType<typeof createConsole>;

export function createConsole() {
  const signIn = createSignIn();
  const answers = new Answers();
  const http = createHttp(fetchHere, signIn.credentials, answers.came);
  const api = createServiceApi(http);
  const buildApi = createBuildApi(http);
  const callsApi = createCallsApi(http);
  const systemApi = createSystemApi(http);
  const requestTicket = createTicketRequest(http);
  const socketAddress = createSocketAddress(
    () => (signIn.store.get().kind === "open" ? undefined : requestTicket),
    window.location.href,
  );
  const talkLevels = { caller: new Store(0), agent: new Store(0) };
  const watchLevels = { caller: new Store(0), agent: new Store(0) };
  const connection = { ...pageSurroundings, describeProblem };
  const { soundSettings, openEngine, openMicrophone } = createSound(talkLevels.agent);
  const describeSoundProblem = (error: unknown): string => describeMicrophoneProblem(error, window.isSecureContext);
  const talk = new TalkSession({
    ...connection,
    socketUrl: (query) => socketAddress("converse", query),
    checkChoice: createChoiceCheck(http.send),
    openSound: async () => {
      const engine = await openEngine();
      return {
        play: (samples, sampleRateHz) => engine.play(samples, sampleRateHz),
        silence: () => engine.silence(),
        openMicrophone,
      };
    },
    describeSoundProblem,
    onMicrophoneLevel: (level) => talkLevels.caller.set(level),
    stored: new StoredValue(sessionStorage, "voice.conversation", storedConversation),
    loadHistory: async (sessionId) => {
      const { signal } = new AbortController();
      const [details, turns] = await Promise.all([api.session(sessionId, signal), api.turns(sessionId, signal)]);
      return fromHistory(details, turns);
    },
    onceItAnswers: answers.onceItAnswers,
  });
  endWithSignIn(talk, signIn);
  return {
    signIn,
    catalog: new CatalogSession(api, systemClock),
    talk,
    soundSettings,
    customers: new CustomerSession(api, answers.onceItAnswers),
    /** The parameters of the address when the page was loaded. */
    link: readLink(new URL(window.location.href)),
    calls: new CallsSession({
      clock: systemClock,
      api: callsApi,
      transfer: (sessionId, number) => api.transfer(sessionId, number),
      onceItAnswers: answers.onceItAnswers,
    }),
    build: new BuildSession(buildApi, new StoredValue(sessionStorage, "voice.drafts", storedDrafts)),
    dialogues: new DialoguesSession(fetchHere),
    /** For the page that opens them, which is loaded on demand. */
    toolTrials: { ...connection, socketUrl: () => socketAddress("try", {}) },
    watchedCall: new WatchedCall(callsApi, systemClock),
    costs: new CostSession(createCostsApi(http)),
    system: new SystemSession(systemApi, systemClock),
    health: new HealthSession(systemApi, systemClock),
    theme: new ThemeChoice(new StoredValue(localStorage, "voice.theme", storedTheme), document.documentElement),
    ...createLists({ http, api, connection, socketAddress }),
    /** This browser as a phone, if the telephone network is simulated. */
    phone: createPhone({ ...connection, openEngine, openMicrophone, describeSoundProblem }),
    ...createWatching({
      api: { ...api, scenario: buildApi.scenario },
      connection,
      socketAddress,
      openEngine,
      openMicrophone,
      describeSoundProblem,
      watchLevels,
      onceItAnswers: answers.onceItAnswers,
    }),
    /** Separate from the sessions' state, because they change fifty times a second. */
    talkLevels,
    watchLevels,
  };
}

/** One engine for the whole page, created by the first click that needs it. */
function createSound(playbackLevel: Store<number>) {
  let sound: Promise<AudioEngine> | undefined;
  const soundSettings = new SoundSettings({
    stored: new StoredValue(localStorage, "voice.sound", soundChoice),
    listMicrophones,
    listLoudspeakers,
    onLoudspeaker: (id) => void sound?.then((engine) => engine.setLoudspeaker(id)),
    onVolume: (volume) => void sound?.then((engine) => engine.setVolume(volume)),
  });
  const openEngine = async (): Promise<AudioEngine> => {
    sound ??= AudioEngine.open(workletUrl, (level) => playbackLevel.set(level)).catch((error) => {
      sound = undefined; // the next click tries again
      throw error;
    });
    const engine = await sound;
    const { volume, loudspeakerId } = soundSettings.store.get();
    engine.setVolume(volume);
    void engine.setLoudspeaker(loudspeakerId);
    return engine;
  };
  const openMicrophone: MicrophoneSource["openMicrophone"] = async (sampleRateHz, onFrame, onLost) => {
    const engine = await openEngine();
    const { microphoneId } = soundSettings.store.get();
    const opened = await engine.openMicrophone(sampleRateHz, onFrame, onLost, microphoneId);
    void soundSettings.refresh();
    return opened;
  };
  return { soundSettings, openEngine, openMicrophone };
}

interface WatchingParts {
  readonly api: ServiceApi & Pick<BuildApi, "scenario">;
  readonly connection: SocketSurroundings;
  readonly socketAddress: SocketAddress;
  readonly openEngine: () => Promise<AudioEngine>;
  readonly openMicrophone: MicrophoneSource["openMicrophone"];
  readonly describeSoundProblem: (error: unknown) => string;
  readonly watchLevels: Levels;
  readonly onceItAnswers: OnceItAnswers;
}

function createWatching(parts: WatchingParts) {
  const { api, connection, socketAddress, openEngine, watchLevels, onceItAnswers } = parts;
  const operator = new OperatorSession(api, onceItAnswers);
  const liveLevels = new LiveLevels(systemClock);
  const listen = new ListenSession({
    ...connection,
    socketUrl: (sessionId) => socketAddress("listen", { session_id: sessionId }),
    openVoices: async () => {
      const engine = await openEngine();
      const silently = (): void => undefined; // the meters have the service's own levels
      return { caller: engine.addVoice(silently), agent: engine.addVoice(silently) };
    },
  });
  return {
    listen,
    operator,
    takeover: new TakeoverSession({
      api,
      listen,
      sound: { openMicrophone: parts.openMicrophone },
      describeSoundProblem: parts.describeSoundProblem,
      clock: systemClock,
    }),
    /** The recorded decisions of a conversation, unvalidated. */
    readFlightRecord: (sessionId: string, signal: AbortSignal) => api.flightRecord(sessionId, signal),
    /** A file of a conversation, by the part of its address after the id. */
    readFile: (sessionId: string, what: string) => api.file(sessionId, what),
    liveLevels,
    requests: new RequestsSession(api),
    recording: new RecordingSession({
      api,
      createUrl: (audio) => URL.createObjectURL(audio),
      revokeUrl: (url) => URL.revokeObjectURL(url),
    }),
    watch: new WatchSession({
      ...connection,
      api,
      socketUrl: (query) => socketAddress("watch", query),
      onLevels: ({ input, output }: ServerPayloads["audio_levels"]) => {
        watchLevels.caller.set(input);
        watchLevels.agent.set(output);
        liveLevels.add(input, output);
      },
      onMessage: (message) => operator.receive(message),
    }),
  };
}

function endWithSignIn(talk: TalkSession, signIn: SignInSession): void {
  signIn.beforeSignOut(() => {
    talk.end();
    forgetKeptTexts();
  });
  signIn.store.subscribe(() => {
    // Whoever signs in again in this tab goes on with it; signing out has ended it before.
    if (signIn.store.get().kind === "signed-out") talk.leave();
  });
}

const fetchHere: typeof fetch = (input, init) => fetch(input, init);

function createSignIn(): SignInSession {
  return new SignInSession({
    fetch: fetchHere,
    clock: systemClock,
    place: {
      get address() {
        return new URL(window.location.href);
      },
      leaveFor: (address) => window.location.assign(address),
      replace: (address) => window.history.replaceState(undefined, "", address),
    },
    tokens: storedTokens(sessionStorage),
    pending: storedPendingSignIn(sessionStorage),
    otherTabs: new OtherTabs(browserChannel(), systemClock),
    createClient: (provider) => createOpenIdClient(provider, `${window.location.origin}/`, () => systemClock.wallNow()),
  });
}
