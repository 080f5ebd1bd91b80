import { atOnce } from "@voice/shared/platform/steps";
import { expect, it } from "vitest";
import { spokenExamples } from "./expand-examples.ts";
import { noRules, type Intent, type Slot } from "./rules.ts";

const choice = (name: string, ...options: readonly string[]): Slot => ({
  name,
  type: "choice",
  options: Object.fromEntries(options.map((option) => [option, [option]])),
});

function expanded(example: string, ...slots: readonly Slot[]): readonly string[] {
  const intent: Intent = { name: "claim", examples: [example], slots, action: { type: "repeat" }, after: {} };
  return atOnce(spokenExamples({ ...noRules, intents: [intent] }));
}

it("leaves choices open, and writes the wordings of each once", () => {
  const slots = [choice("kind", "fire", "theft", "flood"), choice("place", "car", "house")];
  const intent: Intent = {
    name: "claim",
    examples: ["a {kind} in my {place}", "my {place} had a {kind}"],
    slots,
    action: { type: "repeat" },
    after: {},
  };
  expect(atOnce(spokenExamples({ ...noRules, intents: [intent] }))).toEqual([
    "a {claim.kind: fire | theft | flood} in my {claim.place: car | house}",
    "my {claim.place} had a {claim.kind}",
  ]);
});

it("listens for usual names where a name may stand", () => {
  const [sentence = ""] = expanded("my {place} is {who}", choice("place", "car", "house"), {
    name: "who",
    type: "name",
  });
  expect(sentence).toMatch(/^my \{claim\.place: car \| house\} is \{claim\.who: alex brown \| alex lee \| /);
});

it("leaves open what a recogniser has a grammar for, with the number of digits where it is known", () => {
  const slots: readonly Slot[] = [
    { name: "code", type: "digits", length: 6, ask: "Which code?" },
    { name: "pin", type: "digits" },
    { name: "day", type: "date" },
    { name: "sum", type: "amount" },
    { name: "count", type: "number" },
  ];
  expect(expanded("{code} {pin} {day} {sum} {count}", ...slots)).toEqual([
    "{digits 6} {digits} {date} {amount} {number}",
    ...["no", "and", "no i said", "i meant", "what about"].map((words) => `${words} {digits 6}`),
  ]);
});

it("has what a caller asks back where an answer to it is written", () => {
  const asked: Slot = { name: "code", type: "digits", length: 6, ask: "Which code?" };
  expect(expanded("my code is {code}", asked)).not.toContain("why do you need that");
  expect(expanded("my code is {code}", { ...asked, help: "To be safe." })).toContain("why do you need that");
});

it("keeps signs of the notation out of what was written as a value", () => {
  expect(expanded("a {kind}", choice("kind", "black|white", "{digits 4}"))).toEqual([
    "a {claim.kind: black white | digits 4 }",
  ]);
});

it("lets any sentence about something with a date end in it", () => {
  const day: Slot = { name: "day", type: "date" };
  expect(expanded("somebody hit my car", day)).toEqual(["somebody hit my car", "somebody hit my car {date}"]);
  expect(expanded("on {day} somebody hit my car", day)).toEqual(["on {date} somebody hit my car"]);
});
