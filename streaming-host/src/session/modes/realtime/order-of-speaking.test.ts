/** HIST-6 to HIST-9: a realtime service transcribes the caller beside its answer, so words may be known late, and in any order. */
import { VoiceError } from "@voice/shared/platform/errors";
import { untranscribedSpeech } from "@voice/shared/conversation/untranscribed-speech";
import { describe, expect, it } from "vitest";
import { startRealtimeRig } from "../../../testing/realtime-rig.ts";
import { findTakeoverPoint } from "../../conversation/takeover-point.ts";
import { realtimeHistory } from "./realtime-settings.ts";

type Rig = Awaited<ReturnType<typeof startRealtimeRig>>;

async function greeted(...options: Parameters<typeof startRealtimeRig>) {
  const rig = await startRealtimeRig(...options);
  const { model, clock, session, state, conversation } = rig;
  model.answer("greeting", "Hello.", 100);
  await clock.advanceAsync(200, 10);
  /** The service hears speech, and its end. */
  const hear = async (itemId: string, ms = 300): Promise<void> => {
    const fromMs = model.appendedSamples / 24;
    for (let at = 0; at < ms; at += 20) session.onAudio(new Int16Array(480).fill(2000));
    model.emit({ type: "speech-started", itemId, atMs: fromMs });
    await clock.advanceAsync(ms, 10);
    model.emit({ type: "speech-stopped", itemId, atMs: fromMs + ms }, { type: "audio-committed", itemId });
  };
  const transcribe = (itemId: string, text: string): void =>
    model.emit({ type: "user-transcript", itemId, text, isFinal: true });
  const answer = async (itemId: string, text: string, ms = 300): Promise<void> => {
    model.answer(itemId, text, ms);
    await clock.advanceAsync(ms + 100, 10);
  };
  const items = async () => {
    await conversation.flush();
    return state.sessions.history(conversation.sessionId);
  };
  const stored = async (): Promise<string[]> =>
    (await items()).map(
      ({ role, content, toolCalls, interrupted }) =>
        `${role}${interrupted ? " (interrupted)" : ""}: ${toolCalls === undefined ? content : "a call"}`,
    );
  const told = (): string[] =>
    realtimeHistory(conversation).map((item) => ("text" in item ? `${item.role}: ${item.text}` : item.role));
  return { ...rig, hear, transcribe, answer, items, stored, told };
}

const gone = (): VoiceError => new VoiceError("upstream_unavailable", "gone");

/** For as long as a new connection takes. */
const reconnect = async ({ model, clock }: Pick<Rig, "model" | "clock">): Promise<void> => {
  model.end(gone());
  await clock.advanceAsync(2000, 10);
};

describe("the order of speaking", () => {
  it("[HIST-6] has a question before its answer, and in its turn, although the transcript came after it", async () => {
    const { hear, transcribe, answer, stored, told, items, conversation } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    transcribe("u1", "What time is it?");
    const inOrder = ["assistant: Hello.", "user: What time is it?", "assistant: It is nine."];
    expect(await stored()).toEqual(inOrder);
    expect(told()).toEqual(inOrder);
    const [, question, reply] = await items();
    expect(question?.turnId).toBe(reply?.turnId);
    expect(question?.timestampMs).toBeLessThan(reply?.timestampMs ?? 0);
    expect(findTakeoverPoint(conversation.knownHistory)).toMatchObject({ type: "listen" });
  });

  it("[HIST-6] has two questions in the order in which they were asked, although their transcripts came the other way round", async () => {
    const { hear, transcribe, answer, stored } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    await hear("u2");
    transcribe("u2", "And the date?");
    await answer("r2", "The tenth.");
    transcribe("u1", "What time is it?");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: What time is it?",
      "assistant: It is nine.",
      "user: And the date?",
      "assistant: The tenth.",
    ]);
  });

  it("[HIST-6] has both parts of a question in their order where one answer follows both", async () => {
    const { hear, transcribe, answer, stored } = await greeted();
    await hear("u1");
    await hear("u2");
    transcribe("u2", "at noon?");
    transcribe("u1", "What is the weather");
    await answer("r1", "Fine.");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: What is the weather",
      "user: at noon?",
      "assistant: Fine.",
    ]);
  });

  it("[HIST-6] has a failed transcription where the words were said", async () => {
    const { model, hear, answer, stored } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    model.emit({ type: "user-transcript-failed", itemId: "u1", error: gone() });
    expect(await stored()).toEqual(["assistant: Hello.", `user: ${untranscribedSpeech}`, "assistant: It is nine."]);
  });

  it("[HIST-6] has what interrupted an answer after the part that was heard, and before its own answer", async () => {
    const { model, clock, hear, transcribe, answer, stored } = await greeted();
    await hear("u1");
    model.answer("r1", "one two three four", 2000);
    await clock.advanceAsync(1000, 10);
    await hear("u2");
    await answer("r2", "Stopped.");
    transcribe("u2", "Stop.");
    transcribe("u1", "Count to four.");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: Count to four.",
      "assistant (interrupted): one two",
      "user: Stop.",
      "assistant: Stopped.",
    ]);
  });

  it("[HIST-6] has what was said over words that nobody may interrupt after them", async () => {
    const { hear, transcribe, clock, model, stored } = await greeted({ bargeInEnabled: false });
    await hear("u1");
    model.answer("r1", "one two three four", 2000);
    await clock.advanceAsync(1000, 10);
    await hear("u2");
    transcribe("u2", "Thank you.");
    await clock.advanceAsync(1500, 10);
    transcribe("u1", "Count to four.");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: Count to four.",
      "assistant: one two three four",
      "user: Thank you.",
    ]);
  });

  it("[HIST-6] has a question before the tools that ran for it", async () => {
    const { model, clock, hear, transcribe, answer, stored } = await greeted();
    await hear("u1");
    model.callTool("look_up");
    await clock.advanceAsync(10);
    await answer("r1", "Ten dollars.");
    transcribe("u1", "My balance?");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: My balance?",
      "assistant: a call",
      'tool: {"success":true}',
      "assistant: Ten dollars.",
    ]);
  });

  it("[HIST-6a] has what was said while tools ran before the answer that knows it", async () => {
    const { model, clock, hear, transcribe, answer, stored } = await greeted({ bargeInEnabled: false, runMs: 1000 });
    await hear("u1");
    model.callTool("look_up");
    await clock.advanceAsync(100, 10);
    await hear("u2");
    await clock.advanceAsync(2000, 10);
    await answer("r2", "Ten dollars, and it is nine.");
    transcribe("u2", "And the time?");
    transcribe("u1", "My balance?");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: My balance?",
      "assistant: a call",
      'tool: {"success":true}',
      "user: And the time?",
      "assistant: Ten dollars, and it is nine.",
    ]);
  });

  it("[HIST-6] has typed words where they were typed, between what was said before and after", async () => {
    const { session, clock, hear, transcribe, answer, stored } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    session.handle({ type: "whole-turn", text: "4711", keyed: true });
    await clock.advanceAsync(10);
    await answer("r2", "Thank you.");
    await hear("u2");
    await answer("r3", "Goodbye.");
    transcribe("u2", "That is all.");
    transcribe("u1", "What time is it?");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: What time is it?",
      "assistant: It is nine.",
      "user: 4711",
      "assistant: Thank you.",
      "user: That is all.",
      "assistant: Goodbye.",
    ]);
  });

  it("[HIST-7] has words that the next connection hears again where they were said, before what was heard of the lost answer", async () => {
    const rig = await greeted();
    const { model, clock, hear, transcribe, answer, stored } = rig;
    await hear("u1", 600);
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "agent-text", responseId: "r", itemId: "r1", delta: "It is" },
      { type: "audio", responseId: "r", itemId: "r1", samples: new Int16Array(24 * 400).fill(1000) },
    );
    await clock.advanceAsync(390, 10);
    const before = model.appendedSamples;
    await reconnect(rig);
    const replayedMs = (model.appendedSamples - before) / 24;
    expect(replayedMs).toBeGreaterThanOrEqual(600);
    model.emit(
      { type: "speech-started", itemId: "again", atMs: replayedMs - 600 },
      { type: "speech-stopped", itemId: "again", atMs: replayedMs },
    );
    await answer("r2", "It is nine.");
    transcribe("again", "What time is it?");
    await hear("u2");
    transcribe("u2", "Thank you.");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user: What time is it?",
      "assistant (interrupted): It",
      "assistant: It is nine.",
      "user: Thank you.",
    ]);
  });

  it("[HIST-7] [FAIL-4f] does not have a question answered once more whose answer was heard before the connection was lost", async () => {
    const rig = await greeted();
    const { model, hear, answer, stored, told } = rig;
    await hear("u1", 600);
    await answer("r1", "It is nine.");
    const before = model.appendedSamples;
    await reconnect(rig);
    expect((model.appendedSamples - before) / 24).toBeLessThanOrEqual(400); // the beginning of what the caller may say next
    const inOrder = ["assistant: Hello.", `user: ${untranscribedSpeech}`, "assistant: It is nine."];
    expect(await stored()).toEqual(inOrder);
    expect(told()).toEqual(inOrder);
  });

  it("[HIST-7] has words that the fallback hears again where they were said", async () => {
    const { model, clock, hear, conversation, items } = await greeted({ onLost: () => undefined });
    await hear("u1", 600);
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "agent-text", responseId: "r", itemId: "r1", delta: "It is" },
      { type: "audio", responseId: "r", itemId: "r1", samples: new Int16Array(24 * 400).fill(1000) },
    );
    await clock.advanceAsync(390, 10);
    model.hangs = true;
    model.end(gone());
    await clock.advanceAsync(10_000, 50);
    // As the session that follows does once it has recognised them.
    const { turnCount, agent } = conversation;
    conversation.beginTurn(turnCount + 1, clock.wallNow());
    const said = {
      role: "user",
      agent: agent.name,
      turnId: "next",
      timestampMs: clock.wallNow(),
      interrupted: false,
    } as const;
    conversation.append([{ ...said, content: "What time is it?" }]);
    conversation.append([{ ...said, role: "assistant", content: "It is nine." }]);
    expect((await items()).map(({ content }) => content)).toEqual(["Hello.", "What time is it?", "It", "It is nine."]);
  });

  it("[HIST-8] has a remark in the place of an answered question that was not transcribed when the conversation ended", async () => {
    const { session, hear, answer, stored } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    await hear("u2");
    await session.close("finished");
    expect(await stored()).toEqual(["assistant: Hello.", `user: ${untranscribedSpeech}`, "assistant: It is nine."]);
  });

  it("[HIST-8] has what was transcribed of an answered question before its answer, and open words at the end", async () => {
    const { model, session, hear, answer, stored } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    model.emit({ type: "user-transcript", itemId: "u1", text: "What time", isFinal: false });
    await hear("u2");
    model.emit({ type: "user-transcript", itemId: "u2", text: "Thank", isFinal: false });
    await session.close("finished");
    expect(await stored()).toEqual([
      "assistant: Hello.",
      "user (interrupted): What time",
      "assistant: It is nine.",
      "user (interrupted): Thank",
    ]);
  });

  it("[HIST-9] tells watchers of late words when their turn began, which is before that of the answer that they have", async () => {
    const { transport, hear, transcribe, answer, items } = await greeted();
    await hear("u1");
    await answer("r1", "It is nine.");
    transcribe("u1", "What time is it?");
    const told = transport.notices.flatMap((notice) =>
      notice.type === "transcript" || (notice.type === "response" && notice.payload.is_final)
        ? [{ text: notice.payload.text, turn: notice.payload.turn_id, at: notice.payload.began_at ?? "" }]
        : [],
    );
    expect(told.map(({ text }) => text)).toEqual(["Hello.", "It is nine.", "What time is it?"]);
    expect(told.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ text }) => text)).toEqual(
      (await items()).map(({ content }) => content),
    );
    expect(told[2]?.turn).toBe(told[1]?.turn);
  });
});
