/**
 * What a service has refused of the settings that agents come with, because asking again would cost a request each time. Agents that
 * clients make come with settings, too: a refusal holds for the value that was refused, so that nobody takes a setting away
 * from the others by asking for it wrongly, and only so many are remembered.
 */
import { RecentlyUsed } from "@voice/shared/platform/recently-used";

/** Some hundreds of values; a list of phrases is one. */
const maxCharacters = 100_000;

export class RefusedValues<Name extends string> {
  readonly #refused = new RecentlyUsed<true>(maxCharacters);

  has(name: Name, value: unknown): boolean {
    return [keyOf(name), keyOf(name, value)].some((key) => this.#refused.get(key) === true);
  }

  add(name: Name, value: unknown): void {
    this.#remember(keyOf(name, value));
  }

  /** The service does not know the setting, whatever its value. */
  addName(name: Name): void {
    this.#remember(keyOf(name));
  }

  #remember(key: string): void {
    this.#refused.set(key, true, key.length);
  }
}

function keyOf(...nameAndValue: readonly unknown[]): string {
  return JSON.stringify(nameAndValue);
}
