import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { expect, it } from "vitest";
import { describeBacklog } from "./describe-backlog.ts";

const minute = 60_000;
const nowMs = Date.UTC(2026, 2, 21, 10);
const webhookUrls = ["https://one.example/?key=secret", "https://two.example/?key=secret"] as const;

it("[OPS-38] says how many webhooks and conversations wait and since when, and no address", () => {
  const lanes = new Map([
    [receiverOf(webhookUrls[0]), { count: 3, longestMs: 5000 }],
    [receiverOf(webhookUrls[1]), { count: 12, longestMs: 30 * minute }],
    ["0123456789ab", { count: 1, longestMs: 60 * minute }],
    ["archive", { count: 2, longestMs: 2 * minute }],
    ["after-call", { count: 1, longestMs: 3 * minute }],
  ]);
  expect(describeBacklog({ lanes, isMore: false }, { webhookUrls }, nowMs)).toBe(
    ". Waiting: 12 webhooks to receiver 2 of WEBHOOK_URLS since 2026-03-21T09:30:00.000Z, " +
      "1 webhook to a receiver that is not in WEBHOOK_URLS here since 2026-03-21T09:00:00.000Z, " +
      "2 conversations to be archived since 2026-03-21T09:58:00.000Z, " +
      "1 conversation to be noted since 2026-03-21T09:57:00.000Z",
  );
});

it("[OPS-38] does not count beyond what was read, and says nothing where nothing waits", () => {
  const lanes = new Map([["archive", { count: 1000, longestMs: 2 * minute }]]);
  expect(describeBacklog({ lanes, isMore: true }, {}, nowMs)).toContain("at least 1000 conversations");
  expect(describeBacklog({ lanes: new Map(), isMore: false }, {}, nowMs)).toBe("");
});
