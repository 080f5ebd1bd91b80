/** What files and requests name in snake_case, as code names it. */

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type Unchanging<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** Renames the fields of an object, but not those of nested objects. */
export type CamelCased<Fields> = {
  readonly [Name in keyof Fields as CamelCase<Name>]: Unchanging<Exclude<Fields[Name], null>>;
};

/** Leaves out fields that are null or undefined. */
export function inCamelCase<Fields extends object>(fields: Fields): CamelCased<Fields>;
export function inCamelCase(fields: object): object {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]: [string, unknown]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
