import { describe, expect, it } from "vitest";
import type { AgentRules } from "../rules/rules.ts";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import { intent } from "./fake-intent.ts";
import { agent, talkTo, user } from "./rule-conversation.ts";

const accounts = { checking: ["checking"], savings: ["savings"] };

const rules: AgentRules = {
  fallback: "Pardon?",
  arrival: "Welcome.",
  escalation: { type: "call", say: "A person will help.", tool: "escalate_human", args: { reason: "lost" } },
  intents: [
    intent("block", { examples: ["i want to block my card"], action: { type: "call", tool: "block", args: {} } }),
    intent("open", { examples: ["when are you open"], action: { type: "say", say: "We never close." } }),
    intent("thanks", { examples: ["thank you"], aside: true }),
    intent("repeat", { examples: ["say that again"], action: { type: "repeat" } }),
    intent("balance", {
      examples: ["what is my balance"],
      slots: [{ name: "account", type: "choice", options: accounts, ask: "Checking or savings?", retry: "Which one?" }],
      action: { type: "call", tool: "get_balance", args: { account: "{{ slots.account }}" } },
    }),
  ],
};

const { answer } = talkTo(rules, { tools: ["block", "get_balance", "escalate_human"] });

/** Says each line to the agent, and has what it answered. */
async function hold(...lines: readonly ModelMessage[]): Promise<readonly string[]> {
  const messages: ModelMessage[] = [];
  const answers: string[] = [];
  for (const line of lines) {
    messages.push(line);
    const said = await answer(...messages);
    answers.push(said);
    messages.push(agent(said));
  }
  return answers;
}

const unclear = (guess?: string): ModelMessage => ({ role: "user", content: "[unclear]", understood: false, guess });
const block = "i want to block my card";
const didYouSay = 'Did you say, "I want to block my card"?';

describe("a guess at what the caller said", () => {
  it("is asked about, and answered after a yes as if it had been understood at once [TURN-16a] [TURN-16b]", async () => {
    expect(await hold(unclear(block), user("yes"))).toEqual([didYouSay, "[block]"]);
    expect(await hold(unclear("when are you open"), user("yes that is right"))).toEqual([
      'Did you say, "When are you open"?',
      "We never close.",
    ]);
  });

  it("counts after a no as words that were not understood, once [TURN-16c]", async () => {
    expect(await hold(unclear(block), user("no"), user("when are you open"))).toEqual([
      didYouSay,
      "Pardon?",
      "We never close.",
    ]);
    expect((await hold(unclear(block), user("no"), user("purple rain"))).at(-1)).toContain("escalate_human");
  });

  it("gives way to whatever the caller says instead of yes or no [TURN-16c]", async () => {
    expect(await hold(unclear(block), user("when are you open"))).toEqual([didYouSay, "We never close."]);
    expect(await hold(unclear(block), user("no when are you open"))).toEqual([didYouSay, "We never close."]);
  });

  it("is asked about where it is uncertain, and corrected with another value [TURN-16h]", async () => {
    const guess = "what is my balance in [checking]";
    expect(await hold(unclear(guess), user("yes"))).toEqual([
      'Did you say, "checking"?',
      '[get_balance {"account":"checking"}]',
    ]);
    expect((await hold(unclear(guess), user("no savings"))).at(-1)).toBe('[get_balance {"account":"savings"}]');
    expect((await hold(unclear(guess), user("checking"))).at(-1)).toBe('[get_balance {"account":"checking"}]');
    expect((await hold(unclear(guess), user("no"))).at(-1)).toBe("Pardon?");
    expect((await hold(unclear(guess), user("when are you open"))).at(-1)).toBe("We never close.");
  });

  it("becomes longer with what the caller adds to it [TURN-16h]", async () => {
    const days = { today: ["today"], tomorrow: ["tomorrow"] };
    const move = intent("move", {
      examples: ["move it to {account} {day}"],
      slots: [
        { name: "account", type: "choice", options: accounts },
        { name: "day", type: "choice", options: days },
      ],
      action: { type: "say", say: "{{ slots.account }} {{ slots.day }}" },
    });
    const moves = talkTo({ ...rules, intents: [move] }, { tools: [] });
    const asked = agent('Did you say, "checking"?');
    const guess = unclear("move it to [checking]");
    expect(await moves.answer(guess)).toBe(asked.content);
    expect(await moves.answer(guess, asked, user("tomorrow"))).toBe(asked.content);
    expect(await moves.answer(guess, asked, user("tomorrow"), asked, user("yes"))).toBe("checking tomorrow");
  });

  it("is not asked about where it is the agent's own question, back from a loudspeaker [TURN-16i]", async () => {
    const asks: AgentRules = { ...rules, arrival: "Welcome. Do you want to block your card?" };
    const echo = talkTo(asks, { tools: ["block", "escalate_human"] });
    const welcome = agent("Welcome. Do you want to block your card?");
    expect(await echo.answer(welcome, unclear("i want to block my card"))).toBe("Pardon?");
    expect(await echo.answer(agent("Welcome."), unclear("i want to block my card"))).toBe(didYouSay);
  });

  it("is not asked about twice in a row [TURN-16d]", async () => {
    expect(await hold(unclear(block), unclear(block))).toEqual([didYouSay, "Pardon?"]);
    expect(await hold(unclear(block), unclear("when are you open"))).toEqual([didYouSay, "Pardon?"]);
    const refused = await hold(unclear(block), user("no"), unclear(block));
    expect(refused.slice(0, 2)).toEqual([didYouSay, "Pardon?"]);
    expect(refused[2]).toContain("escalate_human");
  });

  it("is asked about again where the caller wants to hear the question again, or murmurs [TURN-16d]", async () => {
    expect(await hold(unclear(block), user("say that again"), user("mm hmm"), user("yes"))).toEqual([
      didYouSay,
      didYouSay,
      didYouSay,
      "[block]",
    ]);
  });

  it("is not asked about where it means nothing to the agent [TURN-16e]", async () => {
    expect(await hold(unclear("the weather in rome"))).toEqual(["Pardon?"]);
  });

  it("is not asked about where nothing depends on it [TURN-16e]", async () => {
    expect(await hold(unclear("thank you"))).toEqual(["Pardon?"]);
    expect(await hold(unclear("say that again"))).toEqual(["Pardon?"]);
    const asked = await hold(user("what is my balance"), unclear("thank you"), user("savings"));
    expect(asked).toEqual(["Checking or savings?", "Which one?", '[get_balance {"account":"savings"}]']);
  });

  it("answers the question that is open [TURN-16a]", async () => {
    expect(await hold(user("what is my balance"), unclear("the savings account"), user("yes"))).toEqual([
      "Checking or savings?",
      'Did you say, "The savings account"?',
      '[get_balance {"account":"savings"}]',
    ]);
    expect(await hold(user("what is my balance"), unclear("when are you open"), user("no"), user("savings"))).toEqual([
      "Checking or savings?",
      'Did you say, "When are you open"?',
      "Which one?",
      '[get_balance {"account":"savings"}]',
    ]);
  });
});

describe("words that are near to a request, and not near enough to act on them", () => {
  const near = "the machine ate my card yesterday";
  const didYouMean = 'Did you mean, "I want to block my card"?';

  it("are asked about, and a yes is answered as if the request had been said [EAR-33]", async () => {
    expect(await hold(user(near), user("yes"))).toEqual([didYouMean, "[block]"]);
  });

  it("count after a no as words that were not understood [EAR-33]", async () => {
    expect(await hold(user(near), user("no"), user("when are you open"))).toEqual([
      didYouMean,
      "Pardon?",
      "We never close.",
    ]);
  });

  it("are not asked about twice in a row [EAR-33]", async () => {
    expect(await hold(user(near), user(`${near} again`))).toEqual([didYouMean, "Pardon?"]);
  });
});
