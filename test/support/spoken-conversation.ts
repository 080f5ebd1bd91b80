/** The main job, the same for every composition: recognised, answered with a tool, handed over, spoken, interrupted. */
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "./composition.ts";
import type { ComposedService, Composition } from "./composition.ts";
import { createJudge, wordErrorRate } from "./judge.ts";
import type { Judge } from "./judge.ts";
import { rememberingRecogniser } from "./speech-engines.ts";

export const greeting =
  "Thank you for calling Harbor Bank. I can check a balance, or connect you to our card team. How can I help you today?";
const balance =
  "Your checking account has two thousand four hundred thirty dollars and fifty cents. Is there anything else?";
const whichAccount = "Sure. Checking or savings?";
const whichCard = "I can block it right away. Is it your credit card or your debit card?";

/** Caller, service, emulators and engines share this process: on a busy machine a final takes longer than callers wait. */
const patience = { VAD_TIMEOUT_MS: "10000" };

/** Hears what agents say in it. */
export function createBankJudge(recognise?: () => Promise<Recogniser>): Judge {
  return createJudge(
    [greeting, balance, whichAccount, whichCard, "I am connecting you to our card team."].flatMap((text) =>
      text.split(/(?<=[.?])\s/),
    ),
    recognise,
  );
}

export function describeSpokenConversation(composition: Composition): void {
  describe(`a spoken conversation ${composition.name}`, () => {
    let service: ComposedService;
    const judge = createBankJudge(composition.localSpeech === undefined ? rememberingRecogniser : undefined);

    beforeAll(async () => {
      service = await compose(composition, { environment: patience });
    });
    afterAll(() => service.close());

    it("recognises the caller, calls the tool, hands over, and says what it means to say", async () => {
      const wish = await service.line("I want to check my balance");
      const account = await service.line("checking");
      const loss = await service.line("I lost my card");
      using caller = await service.call();
      const welcome = await caller.waitForReply();
      expect(welcome.says.map(({ text }) => text)).toEqual([greeting]);
      const welcomeAudio = service.heardBy(caller);

      await caller.speak(wish);
      const question = await caller.waitForReply();
      expect(question.heardText).toBe("i want to check my balance");
      expect(question.says.at(-1)?.text).toBe(whichAccount);

      const before = service.heardBy(caller).length;
      await caller.speak(account);
      const answer = await caller.waitForReply();
      expect(answer.toolCalls).toMatchObject([
        { name: "get_account_balance", args: { account: "checking" }, status: "success" },
      ]);
      expect(answer.says.at(-1)?.text).toBe(balance);
      const answerAudio = service.heardBy(caller).subarray(before);

      await caller.speak(loss);
      const handedOver = await caller.waitForReply();
      expect(handedOver.handoffs).toMatchObject([{ to: expect.any(String), type: "announced" }]);
      expect(handedOver.says.at(-1)?.agent).not.toBe(answer.says.at(-1)?.agent);

      const history = await service.state.sessions.history(caller.session.session_id);
      const spoken = history.filter(({ role, content }) => role !== "tool" && content !== "");
      expect(spoken.map(({ role, content }) => `${role}: ${content}`).slice(0, 5)).toEqual([
        `assistant: ${greeting}`,
        "user: i want to check my balance",
        `assistant: ${whichAccount}`,
        "user: checking",
        `assistant: ${balance}`,
      ]);

      // Judged after the call: a caller who is silent while a busy machine judges is asked whether they are there (IDLE-1).
      caller.close();
      expect(wordErrorRate(greeting, await judge.transcribe(welcomeAudio))).toBeLessThan(0.1);
      expect(wordErrorRate(balance, await judge.transcribe(answerAudio))).toBeLessThan(0.1);
    });

    it("[BARGE-1] [BARGE-5] falls silent when it is interrupted and answers the interruption", async () => {
      using caller = await service.call();
      await caller.waitForAgentAudio();
      await caller.pause(1000);
      await caller.speak(await service.line("I want to check my balance"));
      const reply = await caller.waitForReply();
      expect(reply.says.at(-1)?.text).toBe(whichAccount);
      const [welcome] = await service.state.sessions.history(caller.session.session_id);
      expect(welcome).toMatchObject({ role: "assistant", interrupted: true });
      expect(greeting.startsWith(welcome?.content ?? "-")).toBe(true);
      expect(welcome?.content.length).toBeLessThan(greeting.length);
    });
  });
}
