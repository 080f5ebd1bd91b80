/** The recordings of this host's conversations: which sessions are recorded, and what their records say about it. */
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import { createRecordingId } from "@voice/shared/recordings/recording-owner";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { SessionRecord, SessionRecording, SessionStore } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { updateSession } from "@voice/shared/state/update-session";
import { ConversationRecorder } from "../../../session/recording/conversation-recorder.ts";
import { interruptRecordings } from "../../../session/recording/interrupt-recordings.ts";
import { noRecorder } from "../../../session/recording/session-recorder.ts";
import type { SessionRecorder } from "../../../session/recording/session-recorder.ts";
import { isCallTakeover } from "../../../session/conversation/takeover-point.ts";
import type { Host } from "../../../host/host.ts";
import type { ConversationScope } from "../conversation-scope.ts";
import { recordingBeginner } from "./begin-recording.ts";

export interface StartedRecording {
  readonly recorder: SessionRecorder;
  /** What the agent has to say first (REC-3). */
  readonly announcement: string | undefined;
  /** The conversation is over; nobody waits for the remaining writes. */
  end(): void;
}

export const notRecorded: StartedRecording = { recorder: noRecorder, announcement: undefined, end: () => undefined };

type HostOfRecordings = Pick<Host, "settings" | "telemetry" | "clock"> & { readonly state: Pick<State, "sessions"> };

export class SessionRecordings {
  readonly #host: HostOfRecordings;
  readonly #store: RecordingStore | undefined;
  /** The writes that are still in progress. */
  readonly #pending = new Set<Promise<void>>();
  readonly #leaving = new AbortController();

  /** Without a store, nothing can be recorded. */
  constructor(host: HostOfRecordings, store: RecordingStore | undefined) {
    this.#host = host;
    this.#store = store;
  }

  start(scope: ConversationScope): StartedRecording {
    const { conversation, transport, logger } = scope;
    const { settings, state, telemetry, clock } = this.#host;
    const { sessionId, record } = conversation;
    const store = this.#store;
    if (store === undefined) {
      logger.error({}, "a conversation is not recorded: there is no storage for it");
      return notRecorded;
    }
    const isTranscription = record.streamingMode === "TRANSCRIPTION";
    // A caller who was told on another host is not told again, and in TRANSCRIPTION there is no agent to say it.
    const announcement = isTranscription || wasTold(scope) ? undefined : settings.recordingAnnouncement;
    if (announcement !== undefined && isCallTakeover(scope)) {
      logger.warn({}, "a call that was taken over is not recorded: its caller has not heard that it would be");
      return notRecorded;
    }
    let notes = Promise.resolve();
    const id = { sessionId, recordingId: createRecordingId(record, clock.wallNow()) };
    const format = { sampleRateHz: transport.sampleRateHz, channels: isTranscription ? 1 : 2 } as const;
    const create = recordingBeginner(id, format, {
      store,
      sessions: state.sessions,
      clock,
      logger,
      track: (work) => this.#track(work),
      leaving: this.#leaving.signal,
    });
    const recorder = new ConversationRecorder({
      id,
      format,
      store: { flushIntervalMs: store.flushIntervalMs, create },
      awaitsAnnouncement: announcement !== undefined,
      clock,
      logger,
      onFailure: () => telemetry.count("voice.recording.storage_failures"),
      onChanged: (recording) => {
        if (recording.status !== "recording") countEnded(recording, telemetry);
        notes = notes.then(() => noteRecording(state.sessions, conversation.record, recording, logger));
        this.#track(notes);
      },
    });
    return { recorder, announcement, end: () => this.#track(recorder.close()) };
  }

  /** Resolves when everything is written or has been given up. */
  async close(): Promise<void> {
    this.#leaving.abort();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }
}

/** For operators: how recordings ended, and how much of them was lost. */
function countEnded({ status, lostMs = 0 }: SessionRecording, { count }: Pick<Telemetry, "count">): void {
  count("voice.recording.ended", { status });
  if (lostMs > 0) count("voice.recording.lost", {}, lostMs);
}

/** On the phone, resuming means that another host has had the call; a platform resumes what it began in the same call (HOOK-9). */
function wasTold({ conversation, resumed, transport: { channel } }: ConversationScope): boolean {
  return resumed && (channel === "phone" || channel === "telephony") && conversation.record.recordingAnnounced === true;
}

/** Never rejects: the conversation continues even if the state of its recording is unknown. */
async function noteRecording(
  sessions: SessionStore,
  { sessionId, createdAtMs }: Pick<SessionRecord, "sessionId" | "createdAtMs">,
  recording: SessionRecording,
  logger: Logger,
): Promise<void> {
  await warnIfItFails(logger, {}, "a recording could not be noted in its session", () =>
    updateSession(sessionId, sessions, (session) =>
      session.createdAtMs > createdAtMs
        ? undefined // a later session has the id now
        : { recordings: withRecording(session.recordings ?? [], recording) },
    ),
  );
}

/** When a recording begins, the previous one must be over, even if its host never reported that. */
export function withRecording(
  known: readonly SessionRecording[],
  recording: SessionRecording,
): readonly SessionRecording[] {
  const others = known.filter(({ recordingId }) => recordingId !== recording.recordingId);
  const earlier = others.filter(({ startedAtMs }) => startedAtMs <= recording.startedAtMs);
  const later = others.filter(({ startedAtMs }) => startedAtMs > recording.startedAtMs);
  return [...interruptRecordings(earlier), recording, ...later];
}
