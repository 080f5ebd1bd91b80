/** Carries out operators' commands in the conversations that this host holds (OPS in docs/operations.md). */
import {
  listenInRenewalMs,
  listenInTopic,
  operatorCommand,
  operatorTopic,
  type OperatorCommand,
} from "@voice/shared/contracts/events/operator-command";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { StopListening } from "@voice/shared/state/ports/broadcasts";
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../../../host/host.ts";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import type { PeerEvent } from "../../../session/modes/peer-event.ts";
import { createListenIn } from "../../../session/recording/listen-in.ts";
import type { ListenIn } from "../../../session/recording/listen-in.ts";
import { refusedLineNotice } from "../../../session/output/line-outcome.ts";
import type { SessionRecorder } from "../../../session/recording/session-recorder.ts";
import { encodeMessage } from "../../../transports/envelope.ts";
import { PersonInCharge } from "./person-in-charge.ts";
import type { NoticePublisher } from "./publish-notices.ts";

/** The end reason of a conversation that an operator has ended. */
const endedByOperator = "operator";

type HostOfDesk = Pick<Host, "clock" | "logger"> & { readonly state: Pick<State, "broadcasts"> };
type FindSession = (sessionId: string) => Pick<LiveSession, "handle"> | undefined;

export interface AttendedSession {
  readonly sessionId: string;
  readonly sampleRateHz: number;
  readonly recorder: SessionRecorder;
  readonly conversation: Pick<Conversation, "record" | "setPerson">;
  /** Tells watchers, but not the peer. */
  readonly notices: NoticePublisher;
}

interface Attended {
  readonly listenIn: ListenIn;
  readonly notices: NoticePublisher;
  readonly person: PersonInCharge;
}

export class OperatorDesk {
  readonly #host: HostOfDesk;
  readonly #find: FindSession;
  readonly #sessions = new Map<string, Attended>();
  #listening: Promise<StopListening> | undefined;

  constructor(host: HostOfDesk, find: FindSession) {
    this.#host = host;
    this.#find = find;
  }

  /** From a session's beginning on, its audio passes through here to its recorder. */
  attend(session: AttendedSession): { readonly recorder: SessionRecorder; end(): void } {
    this.#listen();
    const { sessionId, sampleRateHz, recorder, conversation, notices } = session;
    const { state, clock, logger } = this.#host;
    const { broadcasts } = state;
    const listenIn = createListenIn({
      recorder,
      sampleRateHz,
      clock,
      patienceMs: 3 * listenInRenewalMs,
      onAudio(speaker, pcm) {
        const payload = { data: pcm.toString("base64"), sample_rate: sampleRateHz, speaker };
        broadcasts.send(listenInTopic(sessionId), encodeMessage("audio", sessionId, clock.wallNow(), payload));
      },
    });
    const person = new PersonInCharge({
      sessionId,
      conversation,
      session: () => this.#find(sessionId),
      notices,
      broadcasts,
      clock,
      logger,
    });
    const attended = { listenIn, notices, person };
    this.#sessions.set(sessionId, attended);
    return {
      recorder: listenIn.recorder,
      end: () => {
        person.end();
        if (this.#sessions.get(sessionId) === attended) this.#sessions.delete(sessionId);
      },
    };
  }

  async close(): Promise<void> {
    const stop = await this.#listening?.catch(() => undefined);
    stop?.();
  }

  /**
   * Subscribes with the first session, so that an unused host needs nothing from the store; tried again with the next
   * session.
   */
  #listen(): void {
    const { state, logger } = this.#host;
    const { broadcasts } = state;
    this.#listening ??= broadcasts
      .listen(operatorTopic, (text) => this.#onCommand(text))
      .catch((error: unknown) => {
        this.#listening = undefined;
        logger.warn({ error, code: toVoiceError(error).code }, "operators cannot reach the conversations of this host");
        return () => undefined;
      });
  }

  #onCommand(text: string): void {
    const command = operatorCommand.parse(JSON.parse(text));
    const attended = this.#sessions.get(command.sessionId);
    if (attended === undefined) return; // another host's
    const { listenIn, notices, person } = attended;
    switch (command.type) {
      case "listen":
        person.renew(command.subject);
        return listenIn.renew();
      case "watch":
        return void notices.repeatState();
      case "take_over":
        return person.takeOver(command.subject);
      case "hand_back":
        return person.handBack(command.notes);
      case "hold":
        return person.setOnHold(command.isOnHold);
      case "keys":
        return person.press(command.digits);
      default:
        return this.#carryOut(command, notices);
    }
  }

  #carryOut(command: Extract<OperatorCommand, { type: "say" | "transfer" | "end" }>, notices: NoticePublisher): void {
    const isOperators = command.type !== "end" || command.reason === undefined;
    if (isOperators) notices.publish({ type: "event", payload: noticeOf(command) });
    const session = this.#find(command.sessionId);
    session?.handle(eventOf(command));
    if (session === undefined && command.type === "say") {
      const { text, lineId: id } = command;
      notices.publish(refusedLineNotice({ text, id }, "conversation_ended"));
    }
  }
}

function noticeOf(command: Extract<OperatorCommand, { type: "say" | "transfer" | "end" }>): ServerPayloads["event"] {
  const { type: action } = command;
  return { name: "operator", action, ...(command.type === "say" && { line_id: command.lineId }) };
}

function eventOf(command: Extract<OperatorCommand, { type: "say" | "transfer" | "end" }>): PeerEvent {
  switch (command.type) {
    case "say":
      return { type: "line-given", text: command.text, lineId: command.lineId };
    case "end":
      return { type: "farewell-requested", reason: command.reason ?? endedByOperator };
    case "transfer":
      return {
        type: "effect-requested",
        effect: { type: "transfer", target: command.target, reason: "An operator takes the call over." },
      };
  }
}
