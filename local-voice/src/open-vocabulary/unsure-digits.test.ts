import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { describe, expect, it } from "vitest";
import type { Conclusion } from "./arbitrate.ts";
import type { OpenText } from "./moonshine.ts";
import { leadOf } from "./ranked-codes.ts";
import { UnsureDigits } from "./unsure-digits.ts";

const awaits: AwaitedAnswer = { type: "digits", length: 4 };

/** `factors`: how much less probable each code is than the text that was written freely. */
function hearing(factors: Readonly<Record<string, number>>) {
  const codes = Object.entries(factors)
    .toSorted(([, one], [, other]) => one - other)
    .map(([digits, factor]) => ({ digits, score: -3 - Math.log(factor), fit: -Math.log(factor) }));
  return { text: "Fine, tree.", codes };
}

const first = hearing({ "5014": 2, "9014": 4, "5015": 40 });
const again = hearing({ "9014": 1, "5014": 2, "7014": 3 });

const bestOf = ({ codes = [] }: OpenText) => [codes[0]?.digits, Math.round(Math.exp(leadOf(codes)))];

/** What the second attempt is taken for after these answers; the first is in doubt. */
function attempt(
  { startMs = 9000, nowAwaits = awaits }: { readonly startMs?: number; readonly nowAwaits?: AwaitedAnswer },
  ...answers: readonly Conclusion[]
) {
  const unsure = new UnsureDigits();
  const spoken = { samples: new Int16Array(10), startMs: 0, untilMs: 1000 };
  const asked = { text: "", guess: "five zero one four" };
  unsure.remember({ conclusion: asked, awaits, heard: { spoken, words: first } });
  for (const conclusion of answers) unsure.remember({ conclusion, awaits, heard: undefined });
  return bestOf(unsure.afterEarlier(again, startMs, nowAwaits));
}

describe("a code that is said again", () => {
  it("is what both attempts together make most probable [CODE-23e]", () => {
    const unsure = new UnsureDigits();
    const spoken = { samples: new Int16Array(10), startMs: 0, untilMs: 1000 };
    unsure.remember({ conclusion: { text: "" }, awaits, heard: { spoken, words: hearing({ "5014": 2, "9014": 8 }) } });
    const together = unsure.afterEarlier(again, 9000, awaits);
    expect(bestOf(together)).toEqual(["5014", 2]);
    expect(together.codes?.map(({ digits }) => digits)).toEqual(["5014", "9014", "7014"]);
  });

  it("is hardly one that the caller has denied [CODE-23e]", () => {
    expect(attempt({}, { text: "no" })).toEqual(["9014", 50]);
  });

  it("is compared with what was said before sounds without words [CODE-23e]", () => {
    expect(attempt({}, { text: "" })).toEqual(attempt({}));
  });

  it.each<[string, Parameters<typeof attempt>]>([
    ["the caller has confirmed the first", [{}, { text: "yes" }]],
    ["something else was said between them", [{}, { text: "i lost my card" }]],
    ["another code is asked for", [{ nowAwaits: { type: "digits", length: 6 } }]],
    ["it follows at once, and is heard together with the first", [{ startMs: 3000 }]],
  ])("stands alone where %s [CODE-23e]", (_, attempts) => {
    expect(attempt(...attempts)).toEqual(["9014", 2]);
  });
});
