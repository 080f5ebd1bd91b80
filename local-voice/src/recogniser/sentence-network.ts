/**
 * The examples as a network, in which one example may go on like another. Examples with the same beginning share it. In a group of examples
 * with choices, the beginning up to the first choice may combine the words of several ("may i have some {roast}" and "can i have a {drink}"
 * make "may i have a"); after a choice any continuation of the group may follow; and of choices in a row those may be left out without which
 * another example is complete. So ten examples are enough for orders with six values, and no value is said twice. Pure.
 */
import type { ChoiceToken, ExampleToken } from "./examples.ts";
import { slotKey } from "./slots.ts";

/** An arc; without a token it costs nothing and says nothing. */
export interface NetworkArc {
  readonly from: string;
  readonly to: string;
  readonly token: ExampleToken | undefined;
}

export const networkBegin = "begin";
export const networkEnd = "end";

/** More places than this, and a choice may be repeated: each of its places has a copy of its wordings. */
const maxPlaces = 400;

export function sentenceNetwork(examples: readonly (readonly ExampleToken[])[]): readonly NetworkArc[] {
  const canBeMissing = choicesLeftOut(examples);
  const arcs = uniqueArcs(examples.flatMap((tokens) => arcsOf(tokens, canBeMissing)));
  return withoutRepetitions(arcs) ?? arcs;
}

/** The choices without which an example of their group is complete. */
function choicesLeftOut(examples: readonly (readonly ExampleToken[])[]): ReadonlySet<string> {
  const all = new Map<string, Set<string>>();
  const sets = examples.map((tokens) => tokens.filter(isChoice));
  for (const { group, name } of sets.flat()) all.set(group, (all.get(group) ?? new Set()).add(name));
  return new Set(
    sets.flatMap((choices) => {
      const here = new Set(choices.map(({ name }) => name));
      return [...(all.get(choices[0]?.group ?? "") ?? [])].filter((name) => choices.length > 0 && !here.has(name));
    }),
  );
}

function isChoice(token: ExampleToken | undefined): token is ChoiceToken {
  return token?.type === "choice";
}

function arcsOf(tokens: readonly ExampleToken[], canBeMissing: ReadonlySet<string>): readonly NetworkArc[] {
  const first = tokens.findIndex(isChoice);
  const group = tokens.find(isChoice)?.group ?? "";
  const arcs: NetworkArc[] = [];
  /** Where the example may be: in several places if the choice before was left out. */
  let places = [networkBegin];
  let said = "";
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (isChoice(token)) {
      const to = slotKey(token);
      if (index === 0) {
        arcs.push({ from: networkBegin, to: beforeChoices(group), token: undefined });
        places = [beforeChoices(group)];
      }
      for (const from of places) arcs.push({ from, to, token });
      // At the end of a row of choices a value is not left out: what follows belongs to it ("my {card} card").
      places = isChoice(next) && canBeMissing.has(token.name) ? [...places, to] : [to];
      said = to;
      if (next === undefined) arcs.push({ from: to, to: networkEnd, token: undefined });
      continue;
    }
    const written = token.type === "word" ? token.word : slotKey(token);
    said = index < first ? `{${group} ${written}` : `${said} ${written}`;
    const to = next === undefined ? networkEnd : index + 1 === first ? beforeChoices(group) : said;
    for (const from of places) arcs.push({ from, to, token });
    places = [to];
  }
  return arcs;
}

function beforeChoices(group: string): string {
  return `{${group} before`;
}

function uniqueArcs(arcs: readonly NetworkArc[]): readonly NetworkArc[] {
  return [...new Map(arcs.map((arc) => [`${arc.from}>${arc.to}>${wordOf(arc.token)}`, arc])).values()];
}

function wordOf(token: ExampleToken | undefined): string {
  if (token === undefined) return "";
  return token.type === "word" ? token.word : slotKey(token);
}

/** The same with one place for each set of values that were said and could come again; undefined if that takes too many places. */
function withoutRepetitions(arcs: readonly NetworkArc[]): readonly NetworkArc[] | undefined {
  const leaving = Map.groupBy(arcs, ({ from }) => from);
  const ahead = choicesAhead(leaving);
  const placeOf = (node: string, said: readonly string[]): string => {
    const again = said.filter((choice) => ahead.get(node)?.has(choice) === true);
    return again.length === 0 ? node : `${node} after ${again.join(" ")}`;
  };
  const unrolled: NetworkArc[] = [];
  const places = new Map<string, { readonly node: string; readonly said: readonly string[] }>();
  const visit = (node: string, said: readonly string[]): string => {
    const place = placeOf(node, said);
    if (!places.has(place)) places.set(place, { node, said: said.filter((choice) => ahead.get(node)?.has(choice)) });
    return place;
  };
  visit(networkBegin, []);
  let repeatable = 0;
  for (const [place, { node, said }] of places) {
    if (place !== node && ++repeatable > maxPlaces) return undefined;
    for (const { token, to } of leaving.get(node) ?? []) {
      if (token?.type === "choice" && said.includes(token.name)) continue;
      const after = token?.type === "choice" ? [...said, token.name].toSorted() : said;
      unrolled.push({ from: place, to: visit(to, after), token });
    }
  }
  return unrolled;
}

/** For each place: the choices that may still follow. */
function choicesAhead(leaving: ReadonlyMap<string, readonly NetworkArc[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const ahead = new Map<string, Set<string>>();
  for (const node of [...leaving.keys()].filter((name) => name.includes("{"))) {
    const reached = new Set([node]);
    const choices = new Set<string>();
    for (const place of reached)
      for (const { to, token } of leaving.get(place) ?? []) {
        if (token?.type === "choice") choices.add(token.name);
        reached.add(to);
      }
    ahead.set(node, choices);
  }
  return ahead;
}
