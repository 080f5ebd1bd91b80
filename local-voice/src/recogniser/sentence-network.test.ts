import { describe, expect, it } from "vitest";
import { parseExamples } from "./examples.ts";
import { networkBegin, networkEnd, sentenceNetwork } from "./sentence-network.ts";

const order = [
  "i want a {order.size: small | large} {order.roast: dark roast} {order.drink: latte | coffee} with {order.milk: milk}",
  "can i have some {order.drink}",
  "get me an {order.roast} {order.drink} with {order.sugar: sugar}",
  "{order.drink} with {order.milk} and {order.sugar}",
];

/** Whether the network has a path for the tokens; a choice is said as its name in braces. */
function accepts(examples: readonly string[], sentence: string): boolean {
  const arcs = sentenceNetwork(parseExamples(examples));
  const silent = (places: ReadonlySet<string>): Set<string> => {
    const reached = new Set(places);
    for (const place of reached)
      for (const { from, to, token } of arcs) if (from === place && token === undefined) reached.add(to);
    return reached;
  };
  let places = silent(new Set([networkBegin]));
  for (const said of sentence.split(" ")) {
    const next = arcs.filter(
      ({ from, token }) =>
        places.has(from) &&
        (token?.type === "word"
          ? token.word === said
          : token?.type === "choice" && `{${token.name.slice(6)}}` === said),
    );
    places = silent(new Set(next.map(({ to }) => to)));
  }
  return places.has(networkEnd);
}

describe("the network of the examples", () => {
  it.each([
    "i want a {size} {roast} {drink} with {milk}",
    "can i have some {drink} with {milk} and {sugar}",
    "{drink}",
    "{roast} {drink} with {sugar}",
  ])("[EAR-51] has what the examples of an intent show together: %s", (sentence) => {
    expect(accepts(order, sentence)).toBe(true);
  });

  it.each(["i want a {drink}", "get me an {size} {drink}", "{size} {drink}", "can i have some {size} {roast} {drink}"])(
    "[EAR-52] leaves values out of a row where another example is complete without them: %s",
    (sentence) => {
      expect(accepts(order, sentence)).toBe(true);
    },
  );

  it("[EAR-52] leaves no value out that every example has", () => {
    expect(accepts(order, "i want a {size} {roast}")).toBe(false);
    expect(accepts(["block my {order.card: credit | debit} {order.thing: card} now"], "block my {thing} now")).toBe(
      false,
    );
  });

  it("[EAR-51] combines the words of several beginnings of an intent", () => {
    expect(accepts(order, "can i want a {drink}")).toBe(true);
    expect(
      accepts(["may i have some {order.drink: latte}", "can i have a {order.drink}"], "may i have a {drink}"),
    ).toBe(true);
  });

  it.each(["{drink} {drink}", "i want a {size} {roast} {size} {drink}", "{drink} with {milk} with {milk}"])(
    "says no value twice: %s",
    (sentence) => {
      expect(accepts(order, sentence)).toBe(false);
    },
  );

  it("mixes neither the sentences of two intents nor those without choices", () => {
    const two = [...order, "cancel my {cancel.what: order | subscription} today", "what do you have"];
    expect(accepts(two, "cancel my {drink}")).toBe(false);
    expect(accepts(two, "what do you have")).toBe(true);
    expect(accepts(two, "what do you want a {drink}")).toBe(false);
  });

  it("lets values be repeated rather than grow without bounds", () => {
    const names = Array.from({ length: 12 }, (_, at) => `order.v${String.fromCodePoint(97 + at)}`);
    const examples = names.flatMap((one) => names.map((other) => `{${one}: a b} {${other}: a b}`));
    expect(sentenceNetwork(parseExamples(examples)).length).toBeLessThan(20_000);
  });
});
