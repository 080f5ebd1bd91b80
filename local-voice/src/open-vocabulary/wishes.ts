/**
 * What a sentence with values needs in order to be one: the choices that every example of its wish has. "Can I get a light roast" is the beginning
 * of an order where each example has a drink. Pure.
 */
import type { ChoiceToken, ExampleToken } from "../recogniser/examples.ts";

/** A value of a choice, as an agent's examples name it. */
export interface KnownValue {
  readonly choice: string;
  readonly wording: string;
}

/** Of the examples with choices of one group. */
export interface Wish {
  readonly values: readonly KnownValue[];
  /** The names of the choices that each of them has. */
  readonly needed: readonly string[];
}

export function wishesOf(examples: readonly (readonly ExampleToken[])[]): readonly Wish[] {
  const choicesOf = examples
    .map((tokens) => tokens.filter((token) => token.type === "choice"))
    .filter((choices) => choices.length > 0);
  return [...Map.groupBy(choicesOf, ([first]) => first?.group ?? "").values()].map((sentences): Wish => {
    const choices = sentences.flat();
    return {
      values: valuesOf(choices),
      needed: [...new Set(choices.map(({ name }) => name))].filter((name) =>
        sentences.every((tokens) => tokens.some((token) => token.name === name)),
      ),
    };
  });
}

/** Each value of these choices once, however many examples have it. */
export function valuesOf(choices: readonly ChoiceToken[]): readonly KnownValue[] {
  const byName = new Map(choices.map((token) => [token.name, token]));
  return [...byName.values()].flatMap(({ name, wordings }) =>
    wordings.map((words) => ({ choice: name, wording: words.join(" ") })),
  );
}

/** Whether these are values of one wish at least, and no such wish has all that it needs. Wishes may have the same values. */
export function lacksValues(wishes: readonly Wish[], values: readonly KnownValue[]): boolean {
  const said = new Set(values.map(({ wording }) => wording));
  const has = (wish: Wish, choice?: string): Set<string> =>
    new Set(
      wish.values.flatMap((value) =>
        said.has(value.wording) && (choice === undefined || value.choice === choice) ? [value.wording] : [],
      ),
    );
  const meant = said.size === 0 ? [] : wishes.filter((wish) => has(wish).size === said.size);
  return meant.length > 0 && meant.every((wish) => wish.needed.some((choice) => has(wish, choice).size === 0));
}
