import { describe, expect, it } from "vitest";
import { buildGrammar, defaultWeights, garbageWords, withoutGarbage } from "./grammar.ts";
import type { RecognitionHints } from "@voice/provider-kit/ports/recogniser";

interface Arc {
  readonly to: number;
  readonly word: string;
  readonly probability: number;
}

function parse(fsg: string): { arcs: Map<number, Arc[]>; states: number } {
  const arcs = new Map<number, Arc[]>();
  for (const [, from, to, probability, word] of fsg.matchAll(/^TRANSITION (\d+) (\d+) (\S+) ?(\S*)$/gm)) {
    const list = arcs.get(Number(from)) ?? [];
    list.push({ to: Number(to), word: word ?? "", probability: Number(probability) });
    arcs.set(Number(from), list);
  }
  return { arcs, states: Number(/^NUM_STATES (\d+)$/m.exec(fsg)?.[1]) };
}

/** Whether the grammar has a path for the sentence; `only` limits it to arcs of at least this probability at the start. */
function accepts(
  hints: Partial<RecognitionHints>,
  sentence: string,
  weights?: Parameters<typeof buildGrammar>[1],
): boolean {
  const { arcs } = parse(buildGrammar({ examples: [], phrases: [], ...hints }, weights).fsg);
  const closure = (states: ReadonlySet<number>): Set<number> => {
    const reached = new Set(states);
    for (const state of reached)
      for (const arc of arcs.get(state) ?? []) if (arc.word === "" && arc.probability > 0) reached.add(arc.to);
    return reached;
  };
  let states = closure(new Set([0]));
  for (const word of sentence.split(" ")) {
    const next = new Set<number>();
    for (const state of states)
      for (const arc of arcs.get(state) ?? []) if (arc.word === word && arc.probability > 0) next.add(arc.to);
    states = closure(next);
  }
  return states.has(1);
}

const exact = {
  ...defaultWeights,
  sentence: 1,
  steering: 0,
  value: 0,
  awaited: 0,
  mixture: 0,
  backoff: 0,
  garbage: 0,
  phone: 0,
};

describe("grammar", () => {
  it.each(["yes", "no thank you", "repeat that", "um stop", "one two three four", "zero oh nine", "a b c", "um help"])(
    "always has %s",
    (sentence) => {
      expect(accepts({}, sentence)).toBe(true);
    },
  );

  it.each([
    "fifty dollars",
    "twelve dollars and thirty cents",
    "one hundred and twenty",
    "two thousand five hundred dollars",
    "nineteen eighty four",
    "a hundred and five pounds",
    "may third",
    "the third of may",
    "may twenty first twenty twenty six",
    "next monday",
    "on march fifth",
    "last friday",
    "the day before yesterday",
    "two weeks ago",
    "tomorrow",
  ])("has the value %s", (sentence) => {
    expect(accepts({}, sentence)).toBe(true);
  });

  it("has the examples as they stand, with what people say around them", () => {
    const hints = { examples: ["I lost my card"] };
    expect(accepts(hints, "i lost my card", exact)).toBe(true);
    expect(accepts(hints, "um i lost my card please", exact)).toBe(true);
    expect(accepts(hints, "hello i lost my card thank you", exact)).toBe(true);
    expect(accepts(hints, "i lost my", exact)).toBe(false);
    expect(accepts(hints, "lost i card", exact)).toBe(false);
  });

  it("shares the beginnings of sentences, whether or not one ends where another goes on", () => {
    const hints = { examples: ["I lost my card", "I lost my card today", "I lost my {digits}", "I lost my phone"] };
    for (const sentence of ["i lost my card", "i lost my card today", "i lost my one two", "i lost my phone"])
      expect(accepts(hints, sentence, exact)).toBe(true);
    expect(accepts(hints, "i lost my", exact)).toBe(false);
    const states = (examples: readonly string[]): number => parse(buildGrammar({ examples, phrases: [] }).fsg).states;
    // "a b c" and "a b d" differ only in the last word and end in the same state; the mixture has one word more.
    expect(states(["a b c", "a b d"]) - states(["a b c"])).toBe(1);
  });

  it("opens slots", () => {
    const hints = { examples: ["transfer {amount} to {payee}", "my number is {digits}"], phrases: ["Fabrikam Bank"] };
    expect(accepts(hints, "transfer fifty dollars to fabrikam bank", exact)).toBe(true);
    expect(accepts(hints, "my number is one two three", exact)).toBe(true);
    expect(accepts(hints, "transfer to fabrikam bank", exact)).toBe(false);
    expect(accepts({ examples: ["my name is {name}"] }, "my name is b o b", exact)).toBe(true);
  });

  it("[EAR-50] opens choices, each with one copy of its wordings", () => {
    const wordings = Array.from({ length: 60 }, (_, at) => `kind ${at}`).join(" | ");
    const hints = { examples: [`a {o.size: small | very large} {o.kind: ${wordings}}`, "my {o.kind} with {o.size}"] };
    expect(accepts(hints, "a very large kind forty two", exact)).toBe(true);
    expect(accepts(hints, "my kind seven with small", exact)).toBe(true);
    expect(accepts(hints, "a very kind seven", exact)).toBe(false);
    const states = (examples: readonly string[]): number => parse(buildGrammar({ examples, phrases: [] }).fsg).states;
    const [first = ""] = hints.examples;
    expect(states([first, "my {o.kind}", "the {o.kind}"]) - states([first, "my {o.kind}"])).toBeLessThan(5);
  });

  it("opens codes of a known length in the forms in which they are said", () => {
    const hints = { examples: ["the code is {digits 4}", "{digits 4} is my code"] };
    for (const code of ["four four one two", "forty four twelve", "double two five seven", "oh one oh two"])
      expect(accepts(hints, `the code is ${code}`, exact)).toBe(true);
    expect(accepts(hints, "four four one two is my code", exact)).toBe(true);
    expect(accepts(hints, "the code is", exact)).toBe(false);
  });

  it("has one copy of a slot for all sentences that end in it", () => {
    const states = (examples: readonly string[]): number => parse(buildGrammar({ examples, phrases: [] }).fsg).states;
    // One more word before the slot, in the sentences and in the mixture.
    expect(states(["a {date}", "b {date}"]) - states(["a {date}"])).toBe(2);
  });

  it("joins two sentences, but not a sentence and a value, nor two without a joint", () => {
    const hints = { examples: ["I lost my card", "check my {account} balance"], phrases: ["savings"] };
    for (const joint of ["and", "and also", "and then"])
      expect(accepts(hints, `um check my savings balance ${joint} i lost my card please`, exact)).toBe(true);
    expect(accepts(hints, "i lost my card and", exact)).toBe(false);
    expect(accepts(hints, "i lost my card check my savings balance", exact)).toBe(false);
    expect(accepts(hints, "i lost my card and yes", { ...exact, steering: 1, value: 1 })).toBe(false);
  });

  it("joins sentences without a copy of them", () => {
    const states = (joined: number): number =>
      parse(buildGrammar({ examples: ["I lost my card", "block my account"], phrases: [] }, { ...exact, joined }).fsg)
        .states;
    expect(states(1) - states(0)).toBe(1);
  });

  it("mixes the examples' parts", () => {
    const hints = { examples: ["I lost my card", "block my account"] };
    expect(accepts(hints, "i lost my account")).toBe(true);
    expect(accepts(hints, "i lost my account", exact)).toBe(false);
  });

  it("[EAR-57] mixes no values of choices in", () => {
    const hints = { examples: ["block my {o.card: credit | debit} card", "i lost my {o.card}", "send me a form"] };
    expect(accepts(hints, "i lost my debit card")).toBe(true);
    expect(accepts(hints, "send me a debit form")).toBe(false);
    expect(accepts(hints, "debit credit")).toBe(false);
    expect(accepts(hints, "lost my form")).toBe(true);
  });

  it("knows none of another agent's words", () => {
    expect(accepts({ examples: ["I lost my card"] }, "book an appointment")).toBe(false);
    expect(buildGrammar({ examples: ["I lost my card"], phrases: [] }).vocabulary.has("appointment")).toBe(false);
  });

  describe("while a code is awaited", () => {
    const awaits = { type: "digits", length: 4 } as const;
    const onlyAwaited = { ...exact, sentence: 0, awaited: 1 };

    it.each([
      "seven two nine six",
      "oh nine one oh",
      "zero nine one zero",
      "double two five seven",
      "one triple five",
      "forty four twelve",
      "nineteen eighty",
      "um seven two nine six please",
      "it is seven two nine six",
    ])("has it in the form %s", (sentence) => {
      expect(accepts({ awaits }, sentence, onlyAwaited)).toBe(true);
    });

    it("has other lengths, so that the agent can ask for all of it, and whatever else the agent understands", () => {
      for (const sentence of ["four four", "one two three four five", "double two double two double two"])
        expect(accepts({ awaits }, sentence, onlyAwaited)).toBe(true);
      expect(accepts({ awaits, examples: ["I lost my card"] }, "i lost my card")).toBe(true);
      expect(accepts({ awaits }, "repeat that")).toBe(true);
    });

    it("has no letters that sound like digits, and not both words for nought", () => {
      expect(accepts({}, "q t h")).toBe(true);
      expect(accepts({ awaits }, "q t h")).toBe(false);
      expect(accepts({ awaits }, "zero oh nine one", onlyAwaited)).toBe(false);
    });

    it("has codes of any length where nobody said how long they are, but none that begins with a hum", () => {
      const any = { awaits: { type: "digits" } } as const;
      expect(accepts(any, "one two three double four seven", onlyAwaited)).toBe(true);
      expect(accepts(any, "oh one", onlyAwaited)).toBe(false);
    });
  });

  it("numbers its states as it says", () => {
    const { arcs, states } = parse(buildGrammar({ examples: ["a {date} b {digits}"], phrases: ["x y"] }).fsg);
    for (const [from, list] of arcs) {
      expect(from).toBeLessThan(states);
      for (const { to, probability } of list) {
        expect(to).toBeLessThan(states);
        expect(probability).toBeLessThanOrEqual(1);
      }
    }
  });

  it("lists every word that a decoder must know, garbage aside", () => {
    const { fsg, vocabulary } = buildGrammar({ examples: ["I lost my card"], phrases: ["Fabrikam"] });
    const garbage = new Set(garbageWords.map(([word]) => word));
    const words = [...parse(fsg).arcs.values()]
      .flat()
      .flatMap(({ word }) => (word === "" || garbage.has(word) ? [] : [word]));
    expect(vocabulary).toEqual(new Set(words));
    expect(vocabulary).toContain("fabrikam");
  });

  it("is the same for the same hints", () => {
    const hints = { examples: ["pay {amount}", "pay my bill"], phrases: ["Contoso"] };
    expect(buildGrammar(hints).fsg).toBe(buildGrammar(hints).fsg);
  });

  it("leaves no garbage in a text", () => {
    expect(withoutGarbage("gbaa gbk gbzh")).toBe("");
    expect(withoutGarbage(" yes  please ")).toBe("yes please");
  });
});
