import { conversationRow } from "@voice/shared/state/ports/conversation-table.contract";
import { expect, it } from "vitest";
import { toCsv } from "./conversations-csv.ts";
import { describeConversation } from "./find-conversations.ts";

const startedAtMs = Date.UTC(2026, 2, 1, 8);
const linesOf = (facts: Parameters<typeof conversationRow>[2]): string[] =>
  toCsv([describeConversation(conversationRow("session-1", startedAtMs, facts), startedAtMs)]).split("\r\n");

it("[LIST-8a] writes a line of names, and one for each conversation", () => {
  const [names, line, ...rest] = linesOf({
    channel: "phone",
    direction: "inbound",
    who: "+12025550123",
    answerP95Ms: 812.5,
  });
  expect(names).toMatch(/^started_at,ended_at,duration_seconds,channel,direction,who,scenario,/);
  expect(line).toMatch(/^2026-03-01T08:00:00.000Z,2026-03-01T08:00:30.000Z,30,phone,inbound,\+12025550123,bank,/);
  expect(line).toContain(",812.5,");
  expect(rest).toEqual([""]);
});

it("[LIST-8b] keeps what others wrote from being run as a formula, and from breaking a line", () => {
  const [, line] = linesOf({ who: '=HYPERLINK("http://evil.example")', endReason: 'said "no", and left' });
  expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  expect(line).toContain('"said ""no"", and left"');
});
