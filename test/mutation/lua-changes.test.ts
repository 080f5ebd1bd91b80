import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { luaChanges } from "./lua-changes.ts";

/** What a line of Lua becomes. */
function changesOf(line: string): string[] {
  const source = `const key = \`KEYS[\${first + 1}]\`;\nconst x = defineScript(\`\nlocal a = redis.call('TIME')\n${line}\n\`);\n`;
  return luaChanges(source).map(({ at, before, after }) => {
    const changed = source.slice(0, at) + after + source.slice(at + before.length);
    return (changed.split("\n")[3] ?? "").trim();
  });
}

describe("changes of scripts", () => {
  it("turn conditions, comparisons and numbers around", () => {
    expect(changesOf("if left >= 0 and left < tonumber(ARGV[1]) then left = 5 end")).toEqual([
      "if true then left = 5 end",
      "if false then left = 5 end",
      "if left > 0 and left < tonumber(ARGV[1]) then left = 5 end",
      "if left < 0 and left < tonumber(ARGV[1]) then left = 5 end",
      "if left >= 1 and left < tonumber(ARGV[1]) then left = 5 end",
      "if left >= 0 or left < tonumber(ARGV[1]) then left = 5 end",
      "if left >= 0 and left <= tonumber(ARGV[1]) then left = 5 end",
      "if left >= 0 and left >= tonumber(ARGV[1]) then left = 5 end",
      "if left >= 0 and left < tonumber(ARGV[1]) then  end",
    ]);
  });

  it("leave out commands and their options, and nothing that a value is read from", () => {
    expect(changesOf("redis.call('SET', KEYS[1], '1 - 1', 'NX')")).toEqual(["", "redis.call('SET', KEYS[1], '1 - 1')"]);
    expect(changesOf("local b =\n  unpack(ARGV)")).toEqual([]);
  });

  it("leave TypeScript alone, also within a script", () => {
    expect(changesOf("if i < ${[1, 2].map((n) => `{ ${n} }`).length - 1} then return nil end")).toEqual([
      "if true then return nil end",
      "if false then return nil end",
      "if i <= ${[1, 2].map((n) => `{ ${n} }`).length - 1} then return nil end",
      "if i >= ${[1, 2].map((n) => `{ ${n} }`).length - 1} then return nil end",
    ]);
  });

  it("are found in every script of the state", () => {
    const folder = new URL("../../shared/src/state/redis/", import.meta.url);
    const without = readdirSync(folder).filter((name) => {
      const source = readFileSync(new URL(name, folder), "utf8");
      return source.includes("defineScript(`") && luaChanges(source).length === 0;
    });
    expect(without).toEqual([]);
  });
});
