/** The inline route constraints of ASP.NET Core, as far as a Functions route may use them. */

export type Constraint = (value: string) => boolean;

const integer = /^[+-]?\d+$/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const guid = /^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;

const plain: Readonly<Record<string, Constraint>> = {
  int: (value) => isIntegerWithin(value, -(2n ** 31n), 2n ** 31n - 1n),
  long: (value) => isIntegerWithin(value, -(2n ** 63n), 2n ** 63n - 1n),
  guid: (value) => guid.test(value),
  bool: (value) => /^(true|false)$/i.test(value),
  alpha: (value) => /^[a-z]*$/i.test(value),
  decimal: (value) => number.test(value),
  double: (value) => number.test(value),
  float: (value) => number.test(value),
  datetime: (value) => !Number.isNaN(Date.parse(value)),
  required: (value) => value !== "",
};

const withArguments: Readonly<Record<string, (args: readonly string[]) => Constraint>> = {
  length: ([low, high]) => {
    const minimum = limit(low);
    const maximum = high === undefined ? minimum : limit(high);
    return (value) => value.length >= minimum && value.length <= maximum;
  },
  minlength: ([low]) => {
    const minimum = limit(low);
    return (value) => value.length >= minimum;
  },
  maxlength: ([high]) => {
    const maximum = limit(high);
    return (value) => value.length <= maximum;
  },
  min: ([low]) => {
    const minimum = limit(low);
    return (value) => integer.test(value) && Number(value) >= minimum;
  },
  max: ([high]) => {
    const maximum = limit(high);
    return (value) => integer.test(value) && Number(value) <= maximum;
  },
  range: ([low, high]) => {
    const [minimum, maximum] = [limit(low), limit(high)];
    return (value) => integer.test(value) && Number(value) >= minimum && Number(value) <= maximum;
  },
};

export function constraintOf(text: string): Constraint {
  const call = /^(?<name>[a-z]+)\((?<argument>.*)\)$/is.exec(text)?.groups;
  const name = (call?.["name"] ?? text).toLowerCase();
  const argument = call?.["argument"];
  if (argument !== undefined && name === "regex") {
    const pattern = new RegExp(argument.replaceAll("{{", "{").replaceAll("}}", "}"), "i");
    return (value) => pattern.test(value);
  }
  const constraint =
    argument === undefined ? plain[name] : withArguments[name]?.(argument.split(",").map((part) => part.trim()));
  if (constraint === undefined) throw new Error(`unknown route constraint "${text}"`);
  return constraint;
}

function limit(text: string | undefined): number {
  const value = Number(text);
  if (text === undefined || text === "" || !Number.isInteger(value)) throw new Error(`bad constraint limit "${text}"`);
  return value;
}

function isIntegerWithin(value: string, minimum: bigint, maximum: bigint): boolean {
  if (!integer.test(value) || value.length > 20) return false;
  const parsed = BigInt(value.replace(/^\+/, ""));
  return parsed >= minimum && parsed <= maximum;
}
