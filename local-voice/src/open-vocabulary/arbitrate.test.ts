import { describe, expect, it } from "vitest";
import { arbitrate } from "./arbitrate.ts";
import type { Opinions } from "./arbitrate.ts";
import { knownValuesOf } from "./known-values.ts";

const digits = { awaits: { type: "digits", length: 4 } } as const;
const nothingKnown = knownValuesOf([]);

const between = (grammar: Opinions["grammar"], open: string | undefined, more: Partial<Opinions> = {}) =>
  arbitrate({ grammar, open, awaits: undefined, opensUp: false, known: nothingKnown, ...more });

/** `lead`: how many times as probable as another code it is. */
const codes = ({ lead, ...code }: { readonly digits: string; readonly lead: number; readonly fit: number }) => [
  { ...code, score: -2 },
  { digits: "9999", score: -2 - Math.log(lead), fit: code.fit - Math.log(lead) },
];

describe("of two recognisers that heard one utterance", () => {
  it("the grammar's sentence is taken where both agree about it [EAR-24]", () => {
    const grammar = { text: "i would like to check my balance", sentence: "whole" } as const;
    expect(between(grammar, "I'd like to check my balance, please.")).toEqual(grammar);
  });

  it("a guess of the grammar becomes certain where both agree about it [EAR-24]", () => {
    const guess = "somebody stole my credit card";
    expect(between({ text: "", guess }, "Somebody stole my credit card.")).toEqual({ text: guess });
  });

  it("the open words are taken where they have little in common with the grammar's [EAR-25]", () => {
    const taken = { text: "We are looking for a table.", isOpen: true };
    expect(between({ text: "when are you open thank you", sentence: "whole" }, taken.text)).toEqual(taken);
    expect(between({ text: "", guess: "when are you open" }, taken.text)).toEqual(taken);
    expect(between({ text: "" }, taken.text)).toEqual(taken);
  });

  it("the caller is asked about a sentence of which one heard another value or a few other words [EAR-26]", () => {
    const text = "send five hundred dollars to my friend";
    expect(between({ text, sentence: "whole" }, "Send 900 dollars to my friend.")).toEqual({ text: "", guess: text });
    expect(between({ text, sentence: "whole" }, "Spend $500 with my cousin.")).toEqual({ text: "", guess: text });
  });

  it("the open words are taken rather than a mixture of the grammar's that is half like them [EAR-25]", () => {
    expect(between({ text: "i need a new card the chip" }, "I need the chip of my card.")).toEqual({
      text: "I need the chip of my card.",
      isOpen: true,
    });
  });

  it("a code that the agent has asked for is certain where both have it, however it is written [CODE-20]", () => {
    const code = { text: "four four one two", sentence: "whole" } as const;
    expect(between(code, "For, for one, too.", digits)).toEqual(code);
    expect(between({ text: "", guess: code.text }, "4, 4, 1, 2.", digits)).toEqual({ text: code.text });
  });

  it("a code that the two heard differently, or one alone, is asked about [CODE-21]", () => {
    const code = { text: "four four one two" };
    expect(between(code, "Four, four, nine, two.", digits)).toEqual({ text: "", guess: "four four nine two" });
    expect(between(code, "Four or not, too.", digits)).toEqual({ text: "", guess: code.text });
    expect(between(code, "", digits)).toEqual({ text: "", guess: code.text });
    expect(between({ text: "bye" }, "Five, four, zero, eight.", digits)).toMatchObject({
      guess: "five four zero eight",
    });
  });

  it("a code is certain where it is ten times as probable as any other, or 5 times and the grammar has it [CODE-23b]", () => {
    const heard = codes({ digits: "4412", lead: 11, fit: -1 });
    const said = { text: "four four one two" };
    expect(between({ text: "bye" }, "For sure, one too many.", { ...digits, codes: heard })).toEqual(said);
    expect(between({ text: "" }, "", { ...digits, codes: heard })).toEqual(said);
    const unsure = codes({ digits: "4412", lead: 5.5, fit: -1 });
    expect(between({ text: "", guess: said.text }, "For one.", { ...digits, codes: unsure })).toEqual(said);
  });

  it("a code of which the open recogniser is not sure is asked about [CODE-21]", () => {
    const heard = codes({ digits: "4412", lead: 9, fit: -1 });
    const fitsBadly = codes({ digits: "4412", lead: 100, fit: -4 });
    const unsure = codes({ digits: "4412", lead: 4.5, fit: -1 });
    const isAsked = { text: "", guess: "four four one two" };
    expect(between({ text: "four four nine two" }, "For one.", { ...digits, codes: heard })).toEqual(isAsked);
    expect(between({ text: "", guess: "hold on" }, "For one.", { ...digits, codes: heard })).toEqual(isAsked);
    expect(between({ text: isAsked.guess }, "For one.", { ...digits, codes: unsure })).toEqual(isAsked);
    expect(between({ text: "bye" }, "For one.", { ...digits, codes: fitsBadly })).toEqual(isAsked);
  });

  it("a code that fits what was said badly is none [CODE-23b]", () => {
    const heard = codes({ digits: "1223", lead: 100, fit: -9 });
    expect(between({ text: "" }, "What do you mean?", { ...digits, codes: heard })).toMatchObject({
      text: "What do you mean?",
    });
  });

  it("a part of a code is taken from whichever heard it, because the rest follows [CODE-22]", () => {
    expect(between({ text: "right" }, "Five.", digits)).toEqual({ text: "five" });
    expect(between({ text: "four four" }, "For sure.", digits)).toEqual({ text: "four four" });
  });

  it("words in place of the digits that were asked for are the open ones [EAR-27]", () => {
    const open = "I do not have it with me.";
    expect(between({ text: "" }, open, { awaits: { type: "digits", length: 4 } })).toEqual({
      text: open,
      isOpen: true,
    });
  });

  it("a lone yes or no is the grammar's, and so is a greeting before anybody has spoken [EAR-27]", () => {
    expect(between({ text: "yes" }, "Yes, sir.")).toEqual({ text: "yes" });
    expect(between({ text: "no thanks" }, "Nothings.")).toEqual({ text: "no thanks" });
    expect(between({ text: "hi" }, "Five.", { awaits: { type: "greeting" } })).toEqual({ text: "hi" });
  });

  it("the open words are taken where the grammar heard no more than a yes in a sentence [EAR-25]", () => {
    expect(between({ text: "yes" }, "Yes, and what does it cost?")).toEqual({
      text: "Yes, and what does it cost?",
      isOpen: true,
    });
  });

  it("the grammar's stands alone where the open recogniser had no time [EAR-28]", () => {
    const grammar = { text: "i lost my card", sentence: "whole" } as const;
    expect(between(grammar, undefined)).toEqual(grammar);
  });

  it("the grammar's is only a guess where the open recogniser heard no words, and its guess is nothing [EAR-62]", () => {
    expect(between({ text: "yes", sentence: "whole" }, "")).toEqual({ text: "", guess: "yes" });
    expect(between({ text: "", guess: "what was that" }, "")).toEqual({ text: "" });
    expect(between({ text: "hi" }, "", { awaits: { type: "greeting" } })).toEqual({ text: "hi" });
  });

  it("values are reported as the agent names them, and those in doubt as a guess [EAR-60] [EAR-61]", () => {
    const known = knownValuesOf(["give me a {order.size: small | large} {order.drink: espresso | latte}"]);
    const grammar = { text: "give me a small latte", sentence: "whole" } as const;
    expect(between(grammar, "Give me a smol latte.", { known })).toEqual(grammar);
    expect(between(grammar, "Give me a large latte.", { known })).toEqual({
      text: "give me a large latte",
      isOpen: true,
    });
    expect(between({ text: "" }, "Give me a small dispresso.", { known })).toMatchObject({
      text: "give me a small espresso",
    });
    expect(between(grammar, "Give me a smug lamp.", { known })).toMatchObject({ text: "" });
  });
});

describe("where a language model answers", () => {
  const opensUp = true;

  it("the open words lead, and the grammar says whether they are a whole sentence [EAR-29]", () => {
    const grammar = { text: "i lost my card", sentence: "whole" } as const;
    expect(between(grammar, "I lost my card.", { opensUp })).toMatchObject({
      text: "I lost my card.",
      sentence: "whole",
    });
    expect(between(grammar, "I lost my cat.", { opensUp })).toEqual({ text: "I lost my cat.", isOpen: true });
  });

  it("the digits that the agent has asked for are still those of both [EAR-29]", () => {
    const code = { text: "four four one two" };
    expect(between(code, "For, for one, too.", { opensUp, ...digits })).toEqual(code);
    expect(between(code, "For, for one, ten.", { opensUp, ...digits })).toEqual({ text: "", guess: code.text });
  });
});
