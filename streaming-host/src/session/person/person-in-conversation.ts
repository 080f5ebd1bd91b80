/** A person who has taken over a conversation: their voice, their words in the history, and their notes for the agent (PERSON-4 to PERSON-7). */
import type { RecognisedText } from "@voice/provider-kit/ports/recogniser";
import { handBackItem } from "@voice/shared/conversation/handed-back";
import type { Clock } from "@voice/shared/platform/clock";
import { saidInPerson } from "../../pipeline/cascade/model-messages.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { PeerEvent } from "../modes/peer-event.ts";
import type { SessionOutput } from "../output/session-output.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { PersonLine } from "./person-line.ts";
import type { ListenToPerson } from "./person-line.ts";

export interface PersonOptions {
  readonly conversation: Conversation;
  readonly output: SessionOutput;
  readonly recorder: SessionRecorder;
  readonly sampleRateHz: number;
  readonly clock: Clock;
  readonly listen: ListenToPerson | undefined;
  /** The turn of what is said now. */
  readonly turnId: () => string;
  readonly dispatch: (event: TimelessTurnEvent) => void;
  /** Sends a remark to a model that has a history of its own. */
  readonly tellModel: (remark: string) => void;
}

type PersonEvent = Extract<PeerEvent, { readonly type: "person-audio" | "person-hold" | "person-left" }>;

export class PersonInConversation {
  readonly #options: PersonOptions;
  readonly #line: PersonLine;

  constructor(options: PersonOptions) {
    const { output, recorder, sampleRateHz, clock, listen } = options;
    this.#options = options;
    this.#line = new PersonLine({
      playout: output.playout,
      wake: () => output.wake(),
      // The times of what the agent says next do not begin with the person's audio.
      onOver: () => recorder.agentSaid({ turnId: "", words: [], interrupted: false }),
      sampleRateHz,
      clock,
      listen,
      onFinal: (text, endedMs) => this.#storeCallerText(text, endedMs),
    });
  }

  follow(state: TurnState): void {
    this.#line.follow(state);
  }

  handle(event: PersonEvent): void {
    switch (event.type) {
      case "person-audio":
        return this.#line.hear(event.samples);
      case "person-hold":
        return this.#line.setOnHold(event.isOnHold);
      case "person-left":
        return this.#handBack(event.notes ?? "");
    }
  }

  close(): void {
    this.#line.close();
  }

  #storeCallerText({ text, startMs, endMs }: RecognisedText, endedMs: number): void {
    if (text === "") return;
    const { conversation, output, recorder, turnId, dispatch, tellModel } = this.#options;
    const turn = turnId();
    const { name } = conversation.agent;
    output.notify({
      type: "response",
      payload: { text, agent: name, turn_id: turn, is_final: true, interrupted: false, author: "person" },
    });
    const startedAtMs = endedMs - Math.max(0, endMs - startMs);
    recorder.callerSaid({ text, turnId: turn, startedAtMs, endedAtMs: endedMs, isPersons: true });
    dispatch({ type: "person-said", text, endedMs });
    tellModel(saidInPerson(text));
  }

  #handBack(notes: string): void {
    const { conversation, clock, turnId, dispatch, tellModel } = this.#options;
    const place = { agent: conversation.agent.name, turnId: turnId(), timestampMs: clock.wallNow() };
    const item = handBackItem(notes, place);
    conversation.append([item]);
    tellModel(item.content);
    dispatch({ type: "person-left" });
  }
}
