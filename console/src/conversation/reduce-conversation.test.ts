import type { ServerMessageType, ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import { describe, expect, it } from "vitest";

import { emptyConversation, maxEntries } from "./conversation-view.ts";
import type { ConversationView } from "./conversation-view.ts";
import { addTypedText, disconnect, reduceConversation } from "./reduce-conversation.ts";

const timestamp = "2026-01-01T12:00:00.000Z";

class Conversation {
  view: ConversationView = emptyConversation;

  receive<T extends ServerMessageType>(type: T, payload: ServerPayloads[T]): this {
    return this.receiveAt(timestamp, type, payload);
  }

  receiveAt<T extends ServerMessageType>(timestamp: string, type: T, payload: ServerPayloads[T]): this {
    const message = parseServerMessage(JSON.stringify({ type, session_id: "session-1", timestamp, payload }));
    if (message === undefined) throw new Error(`not in the contract: ${JSON.stringify(payload)}`);
    this.view = reduceConversation(this.view, message);
    return this;
  }

  say(text: string, extra: Partial<ServerPayloads["response"]> = {}): this {
    return this.receive("response", { text, agent: "front_desk", turn_id: "turn-1", is_final: true, ...extra });
  }

  get summary(): string[] {
    return this.view.entries.map((entry) => {
      switch (entry.kind) {
        case "user":
          return `user: ${entry.text}${entry.isPending ? " (pending)" : ""}`;
        case "agent":
          return `${entry.agent}: ${entry.text}${entry.unheard === "" ? "" : `[${entry.unheard}]`}${entry.isComplete ? "" : "…"}`;
        case "tool":
          return `tool: ${entry.name} ${entry.status}`;
        case "handoff":
          return `handoff: ${entry.from} > ${entry.to}`;
        case "notice":
          return `${entry.tone}: ${entry.text}`;
        default:
          return entry satisfies never;
      }
    });
  }
}

const session = {
  session_id: "session-1",
  resumed: false,
  streaming_mode: "REALTIME",
  sample_rate: 16_000,
  agent: "front_desk",
  scenario: "bank",
};

describe("a conversation on the page", () => {
  it("[PERSON-2] [PERSON-3] marks what the agent said for an operator, and shows what it did not say with the reason", () => {
    const conversation = new Conversation();
    const about = { name: "operator", action: "say", text: "One moment." } as const;
    const heard = { agent: "front_desk", turn_id: "turn-2", text: "One moment.", is_final: true, interrupted: false };
    conversation.receive("response", heard);
    conversation.receive("event", { ...about, outcome: "said", turn_id: "turn-2" });
    conversation.receive("event", { ...about, outcome: "not_said", reason: "voice_failed" });
    expect(conversation.view.entries).toMatchObject([
      { kind: "agent", text: "One moment.", author: "operator" },
      { kind: "notice", text: "Not said for an operator: “One moment.”. The reason: the agent’s voice failed." },
    ]);
  });

  it("[LANG-11] says which language the caller speaks from now on", () => {
    const conversation = new Conversation();
    conversation.receive("event", { name: "language_changed", language: "de-DE", from: "en-US" });
    expect(conversation.view.entries).toMatchObject([
      { kind: "notice", text: "The caller speaks German (Germany) now." },
    ]);
  });

  it("[HIST-9] shows words that are known late before what began after them, and a failed transcription likewise", () => {
    const at = (second: number): string => `2026-01-01T12:00:0${second}.000Z`;
    const conversation = new Conversation();
    const said = (text: string, second: number, beganAt: number): void =>
      void conversation.receiveAt(at(second), "transcript", {
        text,
        is_final: true,
        speaker: "user",
        turn_id: "turn-1",
        began_at: at(beganAt),
      });
    const answer = (text: string, turn: number, second: number): void =>
      void conversation.receiveAt(at(second), "response", {
        text,
        agent: "front_desk",
        turn_id: `turn-${turn}`,
        is_final: false,
      });
    answer("It is nine.", 1, 2);
    answer("The tenth.", 2, 5);
    said("And the date?", 6, 4);
    said("What time is it?", 7, 1);
    conversation.receiveAt(at(8), "event", { name: "transcription_failed", reason: "server_error", began_at: at(3) });
    said("Thank you.", 9, 8);
    expect(conversation.summary).toEqual([
      "user: What time is it?",
      "front_desk: It is nine.…",
      "info: The caller said something that could not be transcribed.",
      "user: And the date?",
      "front_desk: The tenth.…",
      "user: Thank you.",
    ]);
  });

  it("shows an answer before the words that interrupted it to those who began to watch in the middle of it", () => {
    const conversation = new Conversation();
    conversation.receive("transcript", { text: "credit card", is_final: true, speaker: "user", turn_id: "turn-10" });
    conversation.say("I am connecting you.", { turn_id: "turn-9" });
    conversation.say("This is", { agent: "card_desk", turn_id: "turn-9", interrupted: true });
    conversation.say("Shall I block it?", { agent: "card_desk", turn_id: "turn-10" });
    conversation.say("Are you still there?", { agent: "card_desk", turn_id: "turn-11" });
    expect(conversation.summary).toEqual([
      "front_desk: I am connecting you.",
      "card_desk: This is",
      "user: credit card",
      "card_desk: Shall I block it?",
      "card_desk: Are you still there?",
    ]);
    // On another host, which counts from the beginning.
    conversation.receive("session", { ...session, resumed: true }).say("Welcome back.", { turn_id: "turn-1" });
    expect(conversation.summary.at(-1)).toBe("front_desk: Welcome back.");
  });

  it("shows what an agent said before its handoff to those who began to watch while it was said", () => {
    const conversation = new Conversation();
    const call = { name: "handoff_to_agent", args: {}, result: {}, duration_ms: 1 };
    conversation.receive("transcript", { text: "I lost my card", is_final: true, speaker: "user" });
    conversation.receive("tool_call", { ...call, status: "success" });
    conversation.receive("handoff", { from: "front_desk", to: "card_desk", type: "announced" });
    conversation.say("I am connecting you.");
    conversation.say("This is the card team.", { agent: "card_desk" });
    conversation.say("Are you still there?", { agent: "card_desk", turn_id: "turn-2" });
    expect(conversation.summary).toEqual([
      "user: I lost my card",
      "front_desk: I am connecting you.",
      "tool: handoff_to_agent success",
      "handoff: front_desk > card_desk",
      "card_desk: This is the card team.",
      "card_desk: Are you still there?",
    ]);
  });

  it("shows words while they are spoken and replaces them by the final ones", () => {
    const conversation = new Conversation();
    conversation.receive("transcript", { text: "my bal", is_final: false, speaker: "user" });
    expect(conversation.view).toMatchObject({ interim: "my bal", entries: [] });
    conversation.receive("transcript", { text: "my balance", is_final: true, speaker: "user" });
    expect(conversation.view.interim).toBe("");
    expect(conversation.summary).toEqual(["user: my balance"]);
  });

  it("shows typed words at once and once, whatever the service makes of their spelling", () => {
    const conversation = new Conversation();
    conversation.view = addTypedText(conversation.view, "Block my card!", timestamp);
    expect(conversation.summary).toEqual(["user: Block my card! (pending)"]);
    conversation.receive("transcript", { text: "block my card", is_final: true, speaker: "user" });
    expect(conversation.summary).toEqual(["user: Block my card!"]);
  });

  it("builds an answer out of its pieces and takes the final text as the truth", () => {
    const conversation = new Conversation();
    conversation.say("Hello, ", { is_final: false }).say("how can", { is_final: false });
    expect(conversation.summary).toEqual(["front_desk: Hello, how can…"]);
    conversation.say("Hello, how can I help?");
    expect(conversation.summary).toEqual(["front_desk: Hello, how can I help?"]);
  });

  it("puts a space between a sentence and the next, and none into a number", () => {
    const conversation = new Conversation();
    const pieces = ["This is the card team.", "It costs", " 3.", "50 dollars."];
    for (const text of pieces) conversation.say(text, { is_final: false });
    expect(conversation.summary).toEqual(["front_desk: This is the card team. It costs 3.50 dollars.…"]);
  });

  it("keeps two answers of one turn apart", () => {
    const conversation = new Conversation().say("One moment.").say("It is nine dollars.");
    expect(conversation.summary).toEqual(["front_desk: One moment.", "front_desk: It is nine dollars."]);
  });

  it("shows how far an interrupted answer was heard", () => {
    const conversation = new Conversation().say("First this, then that.");
    conversation.receive("event", { name: "barge_in", reason: "speech" }).say("First this,", { interrupted: true });
    expect(conversation.summary).toEqual(["front_desk: First this,[ then that.]"]);
  });

  it("completes what each agent of a turn with a handoff said, and shows nothing twice", () => {
    const conversation = new Conversation()
      .say("One moment.", { is_final: false })
      .receive("event", { name: "handoff", from: "front_desk", to: "fraud", type: "announced" })
      .say("Card team.", { agent: "fraud", is_final: false })
      .say("How can I help?", { agent: "fraud", is_final: false })
      .say("One moment.")
      .say("Card team. How can I help?", { agent: "fraud" });
    expect(conversation.summary).toEqual([
      "front_desk: One moment.",
      "handoff: front_desk > fraud",
      "fraud: Card team. How can I help?",
    ]);
  });

  it("keeps apart what an agent said before and after another one in the same turn", () => {
    const conversation = new Conversation()
      .say("One moment.", { is_final: false })
      .say("They are closed.", { agent: "fraud", is_final: false })
      .say("I am back.", { is_final: false });
    expect(conversation.summary).toEqual([
      "front_desk: One moment.…",
      "fraud: They are closed.…",
      "front_desk: I am back.…",
    ]);
  });

  it("knows which of two agents was interrupted", () => {
    const pieces = (): Conversation =>
      new Conversation()
        .say("One moment please.", { is_final: false })
        .say("Card team.", { agent: "fraud", is_final: false });
    expect(pieces().say("One moment", { interrupted: true }).summary).toEqual(["front_desk: One moment[ please.]"]);
    expect(pieces().say("One moment please.").say("Card", { agent: "fraud", interrupted: true }).summary).toEqual([
      "front_desk: One moment please.",
      "fraud: Card[ team.]",
    ]);
  });

  it("adds nothing to an answer from before the connection was lost, though turns are counted anew", () => {
    const conversation = new Conversation().say("Is it your credit card", { is_final: false });
    conversation.view = disconnect(conversation.view);
    conversation.say("I am connecting you.", { is_final: false });
    expect(conversation.summary).toEqual(["front_desk: Is it your credit card", "front_desk: I am connecting you.…"]);
  });

  it("forgets an answer of which nothing was heard", () => {
    const conversation = new Conversation().say("Welcome.").say("", { interrupted: true });
    expect(conversation.summary).toEqual([]);
    expect(conversation.say("", { interrupted: true, turn_id: "turn-2" }).summary).toEqual([]);
  });

  it("turns a tool call's start into its result", () => {
    const call = { name: "tool_call", tool: "get_balance", args: { account: "checking" } } as const;
    const conversation = new Conversation().receive("event", {
      ...call,
      args: {},
      result: null,
      status: "started",
    });
    expect(conversation.summary).toEqual(["tool: get_balance started"]);
    conversation.receive("event", { ...call, result: { balance: 9 }, status: "success", duration_ms: 12 });
    expect(conversation.view.entries).toEqual([
      expect.objectContaining({
        kind: "tool",
        status: "success",
        args: call.args,
        result: { balance: 9 },
        durationMs: 12,
      }),
    ]);
  });

  it("reads handoffs and tool calls in the media stream's form too", () => {
    const conversation = new Conversation()
      .receive("handoff", { from: "front_desk", to: "fraud", type: "discrete" })
      .receive("tool_call", { name: "block_card", args: {}, result: {}, status: "error" })
      .receive("agent_response", { text: "Done.", agent: "fraud", turn_id: "t", is_final: true });
    expect(conversation.summary).toEqual(["handoff: front_desk > fraud", "tool: block_card error", "fraud: Done."]);
  });

  it("knows who is talking and what the agent is doing", () => {
    const conversation = new Conversation().receive("session", session);
    expect(conversation.view.agent).toBe("front_desk");
    conversation.receive("event", { name: "handoff", from: "front_desk", to: "fraud", type: "announced" });
    expect(conversation.view.agent).toBe("fraud");
    conversation.receive("event", { name: "state_change", state: "speaking", agent: "fraud" });
    expect(conversation.view).toMatchObject({ agent: "fraud", agentState: "speaking" });
  });

  it("takes nothing to be going on after the connection is gone", () => {
    const conversation = new Conversation().receive("transcript", { text: "my", is_final: false, speaker: "user" });
    conversation.receive("event", { name: "state_change", state: "thinking", agent: "fraud" });
    expect(disconnect(conversation.view)).toMatchObject({ agent: "fraud", agentState: undefined, interim: "" });
  });

  it("does not say that a conversation is over whose caller may come back", () => {
    const conversation = new Conversation().receive("event", { name: "session_ended", reason: "connection_lost" });
    conversation.receive("session", { ...session, resumed: true });
    expect(conversation.summary).toEqual([
      "info: The connection to the caller was lost. The conversation goes on if it comes back.",
      "info: The caller is back, and the conversation goes on.",
    ]);
  });

  it("says that a conversation goes on that was said to have ended", () => {
    const conversation = new Conversation().receive("event", { name: "session_ended", reason: "caller_left" });
    conversation.receive("session", { ...session, resumed: true });
    expect(conversation.view.ended).toBeUndefined();
    expect(conversation.summary).toEqual([
      "info: The conversation ended because the caller left.",
      "info: The caller is back, and the conversation goes on.",
    ]);
  });

  it("says that the service has forgotten the conversation, such as after it was started again without Redis", () => {
    const conversation = new Conversation().receive("session", session);
    conversation.receive("transcript", { text: "hello", is_final: true, speaker: "user", turn_id: "turn-1" });
    conversation.receive("session", { ...session, resumed: false });
    expect(conversation.summary.at(-1)).toBe(
      "info: The service does not know this conversation any more: another begins.",
    );
  });

  it("keeps the transcript when the same session is resumed and clears it for another", () => {
    const conversation = new Conversation().receive("session", session).say("Hello.");
    conversation.receive("session", { ...session, resumed: true });
    expect(conversation.summary).toEqual(["front_desk: Hello."]);
    conversation.receive("session", { ...session, session_id: "session-2" });
    expect(conversation.summary).toEqual([]);
  });

  it("keeps the latest figures of each turn, with the agent that answered", () => {
    const conversation = new Conversation().receive("session", session);
    conversation.receive("event", { name: "turn_metrics", turn_id: "turn-1", metrics: { llm_ttft_ms: 5 } });
    conversation.receive("event", { name: "turn_metrics", turn_id: "turn-1", metrics: { llm_ttft_ms: 9 } });
    expect(conversation.view.latencies).toEqual([
      { turnId: "turn-1", agent: "front_desk", metrics: { llm_ttft_ms: 9 } },
    ]);
  });

  it("says why a call has failed, in words and with the code", () => {
    const conversation = new Conversation().receive("event", {
      name: "call_update",
      update: "failed",
      status: "failed",
      failure: { code: "no_answer", reason: "no answer" },
    });
    expect(conversation.summary).toEqual(["error: The call failed: no answer (no_answer)."]);
  });

  it("leaves out what only the plumbing of a call is about", () => {
    const conversation = new Conversation();
    for (const update of ["CallConnected", "ParticipantsUpdated", "MediaStreamingStarted"])
      conversation.receive("event", { name: "call_update", update, status: "connected" });
    expect(conversation.summary).toEqual(["info: The call is connected."]);
  });

  it("has no bubble for an agent that hands over without a word", () => {
    const conversation = new Conversation().receive("session", session);
    conversation.say("  ", { is_final: false });
    conversation.receive("handoff", { from: "front_desk", to: "cards", type: "announced" });
    conversation.say("", {}).say("This is the card team.", { agent: "cards" });
    expect(conversation.summary).toEqual(["handoff: front_desk > cards", "cards: This is the card team."]);
  });

  it("glues no answer onto an old one where a host that takes over counts its turns anew", () => {
    const conversation = new Conversation().receive("session", session);
    conversation.say("Sure. Checking or", { is_final: false });
    conversation.receive("session", { ...session, resumed: true });
    conversation.say("I am connecting you.", { is_final: false }).say("I am connecting you.", { interrupted: true });
    expect(conversation.summary).toEqual(["front_desk: Sure. Checking or", "front_desk: I am connecting you."]);
  });

  it("says that it is over, and why", () => {
    const conversation = new Conversation().receive("event", { name: "session_ended", reason: "caller_left" });
    expect(conversation.view.ended).toBe("caller_left");
    expect(conversation.summary).toEqual(["info: The conversation ended because the caller left."]);
  });

  it("shows the service's errors in its own words, and where the cause is found", () => {
    const conversation = new Conversation().receive("error", { code: "upstream_timeout", message: "No answer." });
    expect(conversation.summary).toEqual(["error: No answer. The System page says what has failed, and why."]);
  });

  it("forgets the oldest of very many entries and never reuses a key", () => {
    const conversation = new Conversation();
    const turns = maxEntries + 100;
    for (let turn = 0; turn < turns; turn += 1) conversation.say("x", { turn_id: `turn-${turn}` });
    const ids = conversation.view.entries.map(({ id }) => id);
    expect(ids.length).toBe(maxEntries);
    expect(new Set(ids).size).toBe(maxEntries);
    expect(ids.at(-1)).toBe(turns);
  });
});

it("keeps with the caller's words their language, or who was talked to where the recogniser names none", () => {
  const conversation = new Conversation();
  conversation.view = { ...emptyConversation, agent: "empfang" };
  const said = { text: "Guten Tag", is_final: true, speaker: "user", turn_id: "turn-1" } as const;
  conversation.receive("transcript", { ...said, language: "de-DE" }).receive("transcript", said);
  expect(conversation.view.entries).toMatchObject([
    { language: "de-DE", agent: "empfang" },
    { language: undefined, agent: "empfang" },
  ]);
});

it("leaves the view as it is where only a level has changed, so that nothing is drawn", () => {
  const conversation = new Conversation();
  const { view } = conversation;
  expect(conversation.receive("audio_levels", { input: 0.3, output: 0.2 }).view).toBe(view);
});

const heldBack = (names: readonly string[], action: "replace" | "stop" = "replace") =>
  ({ name: "guardrail", turn_id: "turn-1", agent: "front_desk", names, action }) as const;
const answers = (conversation: Conversation) =>
  conversation.view.entries.flatMap((entry) => (entry.kind === "agent" ? [entry] : []));

it("[GUARD-1] marks the words of an answer of which guardrails held something back, before and after they are shown", () => {
  const conversation = new Conversation()
    .receive("event", heldBack(["links"]))
    .say("It is on our page, ", { is_final: false })
    .receive("event", heldBack(["numbers", "links"]))
    .say("It is on our page, and the number is a number.");
  expect(answers(conversation)).toMatchObject([
    { text: "It is on our page, and the number is a number.", isComplete: true, guardrails: ["links", "numbers"] },
  ]);
});

it("[GUARD-1] shows that an answer was stopped of which nobody heard anything, and what was said instead", () => {
  const conversation = new Conversation()
    .receive("event", heldBack(["secret"], "stop"))
    .say("", { interrupted: true })
    .say("I cannot talk about that.", { turn_id: "turn-2" });
  expect(answers(conversation)).toMatchObject([
    { text: "", isInterrupted: true, guardrails: ["secret"] },
    { text: "I cannot talk about that." },
  ]);
});

it("[RT-2] shows no words any more that turned out not to be transcribable", () => {
  const conversation = new Conversation()
    .receive("transcript", { text: "I lost", speaker: "user", is_final: false })
    .receive("event", { name: "transcription_failed", reason: "upstream_unavailable" });
  expect(conversation.view.interim).toBe("");
  expect(conversation.summary).toEqual(["info: The caller said something that could not be transcribed."]);
});
