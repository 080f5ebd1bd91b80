/** What the agent says after a person had the conversation. */
import { expect, it } from "vitest";
import { handBackItem, handedBack } from "@voice/shared/conversation/handed-back";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import type { AgentRules } from "../rules/rules.ts";
import { intent } from "./fake-intent.ts";
import { returned } from "./hand-back.ts";
import { agent, talkTo, user } from "./rule-conversation.ts";

const rules: AgentRules = {
  fallback: "Pardon?",
  arrival: "Welcome.",
  escalation: { type: "say", say: "A person will help." },
  intents: [
    intent("block", {
      examples: ["block my {card} card", "i lost my card"],
      slots: [
        { name: "card", type: "choice", options: { credit: ["credit"], debit: ["debit"] }, ask: "Credit or debit?" },
      ],
      action: { type: "say", say: "Blocked." },
    }),
    intent("goodbye", { examples: ["no", "goodbye"], action: { type: "say", say: "Goodbye." } }),
  ],
};
const { answer } = talkTo(rules);

const { content } = handBackItem("The card works.", { agent: "desk", turnId: "turn-2", timestampMs: 1 });
const before: readonly ModelMessage[] = [
  agent("Welcome."),
  user("i lost my card"), // to the person
  { role: "system", content: "A colleague, who had taken over from you, said to the caller in person: it works" },
  { role: "system", content },
];

it("[PERSON-7] speaks first, and offers more", async () => {
  expect(await answer(...before, user(handedBack))).toBe(returned);
  const asRealtimeModelsReadIt = user(`[${content}]`);
  expect(await answer(...before.slice(0, -1), asRealtimeModelsReadIt)).toBe(returned);
});

it("[PERSON-7] answers what is said to it afterwards, and nothing that the person was told", async () => {
  expect(await answer(...before, agent(returned), user("no"))).toBe("Goodbye.");
  expect(await answer(...before, agent(returned), user("hmm"))).not.toContain("Credit or debit?");
  expect(await answer(...before, agent(returned), user("block my debit card"))).toBe("Blocked.");
});

it("[PERSON-7] answers a caller who speaks before it does", async () => {
  expect(await answer(...before, user("block my debit card"))).toBe("Blocked.");
});
