import { describe, expect, it } from "vitest";
import { VoiceError } from "./errors.ts";
import { createOutageLog, shareOutageLog } from "./outage-log.ts";

function start() {
  const lines: [level: string, sentence: string, fields: object][] = [];
  const log = createOutageLog(
    {
      info: (fields, sentence) => lines.push(["info", sentence, fields]),
      warn: (fields, sentence) => lines.push(["warn", sentence, fields]),
    },
    { failing: "events are not read", over: "events are read again" },
    { group: "calls" },
  );
  return { lines, log };
}

const away = new VoiceError("cache_connection_failed", "away");
const slow = new VoiceError("upstream_timeout", "slow");

describe("the log of an outage", () => {
  it("has its first failure, its end, and how many attempts failed", () => {
    const { lines, log } = start();
    for (let attempt = 0; attempt < 100; attempt++) log.failed(away);
    log.worked();
    log.worked();
    expect(lines).toEqual([
      ["warn", "events are not read", { group: "calls", error: away, code: "cache_connection_failed" }],
      ["info", "events are read again", { group: "calls", failures: 100 }],
    ]);
  });

  it("has a line for another cause, and one for the next outage", () => {
    const { lines, log } = start();
    log.failed(away);
    log.failed(slow);
    log.worked();
    log.failed(slow);
    expect(lines.map(([level, , fields]) => [level, "code" in fields ? fields.code : undefined])).toEqual([
      ["warn", "cache_connection_failed"],
      ["warn", "upstream_timeout"],
      ["info", undefined],
      ["warn", "upstream_timeout"],
    ]);
  });

  it("has one line for each of two causes that come by turns", () => {
    const { lines, log } = start();
    for (let attempt = 0; attempt < 10; attempt++) log.failed(attempt % 2 === 0 ? away : slow);
    expect(lines).toHaveLength(2);
  });

  it("says nothing about work that does not fail", () => {
    const { lines, log } = start();
    log.worked();
    expect(lines).toEqual([]);
  });
});

it("has one line for several that meet the same outage, and one when the last of them works again", () => {
  const { lines, log } = start();
  const share = shareOutageLog(log);
  const [one, another, lucky] = [share(), share(), share()];
  one.failed(away);
  another.failed(away);
  lucky.worked();
  one.worked();
  another.failed(away);
  expect(lines.map(([level]) => level)).toEqual(["warn"]);
  another.worked();
  another.worked();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toEqual(["info", "events are read again", { group: "calls", failures: 3 }]);
});
