/**
 * A record as a Redis hash: one field per property, each value JSON. A patch then writes only what it changes, and the
 * compare-and-set needs no read before it. `version` and other numbers that scripts compute are plain integers, which
 * are JSON as well.
 */
import { z } from "zod";

/** Field, value, field, value, … without undefined values. */
export function toFields(record: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record).flatMap(([field, value]) =>
    value === undefined ? [] : [field, JSON.stringify(value)],
  );
}

/** For a script: the number of fields to clear, those fields, and then the pairs to set. */
export function toPatchArguments(patch: Readonly<Record<string, unknown>>): (string | number)[] {
  const cleared = Object.keys(patch).filter((field) => patch[field] === undefined);
  return [cleared.length, ...cleared, ...toFields(patch)];
}

const flatReply = z.array(z.string());

/** A script's `HGETALL` (a flat list) or the client's (an object). */
export function fromFields(reply: unknown): Record<string, unknown> {
  const texts = Array.isArray(reply) ? fromPairs(flatReply.parse(reply)) : objectReply.parse(reply);
  return Object.fromEntries(Object.entries(texts).map(([field, text]): [string, unknown] => [field, JSON.parse(text)]));
}

/** Field, value, field, value, … */
export function fromPairs(flat: readonly string[]): Record<string, string> {
  return Object.fromEntries(flat.flatMap((field, index) => (index % 2 === 0 ? [[field, flat[index + 1] ?? ""]] : [])));
}

const objectReply = z.record(z.string(), z.string());

/**
 * Lua to prepend to a script's body: `apply(key, first, …)` reads the arguments of `toPatchArguments` from index `first`
 * on, and sets the fields and values that follow as well.
 */
export const applyPatch = `
local function apply(key, first, ...)
  local cleared = tonumber(ARGV[first])
  if cleared > 0 then redis.call('HDEL', key, unpack(ARGV, first + 1, first + cleared)) end
  local set = { unpack(ARGV, first + cleared + 1) }
  for _, own in ipairs({ ... }) do set[#set + 1] = own end
  redis.call('HSET', key, unpack(set))
end
`;

/** Lua to prepend: `patchFields(fields, first)` changes a table of the record's fields as `apply` changes the record. */
export const patchFields = `
local function patchFields(fields, first)
  local cleared = tonumber(ARGV[first])
  for i = first + 1, first + cleared do fields[ARGV[i]] = nil end
  for i = first + cleared + 1, #ARGV, 2 do fields[ARGV[i]] = ARGV[i + 1] end
end
`;
