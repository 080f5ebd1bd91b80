import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { createKnownWatchers } from "./known-watchers.ts";
import type { ChannelListener } from "./pub-sub.ts";

function rig({ refusals = 0 } = {}) {
  const clock = new VirtualClock();
  const listeners: ChannelListener[] = [];
  let attempts = 0;
  const watchers = createKnownWatchers(clock, async (listener) => {
    attempts += 1;
    if (attempts <= refusals) throw new Error("no connection");
    listeners.push(listener);
  });
  /** What is published, and how many receive it. */
  const publish = async (receivers: number, channel = "one"): Promise<void> => {
    const learn = watchers.publishing(channel);
    await setImmediate();
    learn(receivers);
  };
  return {
    clock,
    watchers,
    publish,
    attempts: () => attempts,
    announce: (text: string) => listeners[0]?.onMessage(text),
    listeners,
  };
}

it("[HS-10d] takes a channel for watched until a message on it has reached nobody", async () => {
  const { watchers, publish } = rig();
  expect(watchers.isWatched("one")).toBe(true);
  await publish(1);
  expect(watchers.isWatched("one")).toBe(true);
  await publish(0);
  expect([watchers.isWatched("one"), watchers.isWatched("two")]).toEqual([false, true]);
});

it("[HS-10d] takes a channel for watched once somebody announces to listen to it, or to all", async () => {
  const { watchers, publish, announce } = rig();
  for (const announced of ["one", "*"]) {
    await publish(0);
    announce("two");
    expect(watchers.isWatched("one")).toBe(false);
    announce(announced);
    expect(watchers.isWatched("one")).toBe(true);
  }
});

it("[HS-10d] believes no answer to a message that was published before somebody began to watch", async () => {
  const { watchers, publish, announce } = rig();
  await publish(1);
  const learn = watchers.publishing("one");
  announce("one");
  learn(0);
  expect(watchers.isWatched("one")).toBe(true);
});

it("[HS-10d] takes every channel for watched while announcements may be missed", async () => {
  const { clock, watchers, publish, listeners } = rig({ refusals: 1 });
  await publish(0);
  expect(watchers.isWatched("one")).toBe(true);
  clock.advance(5000);
  await publish(0);
  expect(watchers.isWatched("one")).toBe(false);
  listeners[0]?.onRenewed?.();
  expect(watchers.isWatched("one")).toBe(true);
});

it("[HS-10d] asks for announcements with the first message, five seconds after a refusal, and then no more", async () => {
  const { clock, publish, attempts } = rig({ refusals: 1 });
  expect(attempts()).toBe(0);
  for (const [waitMs, expected] of [
    [0, 1],
    [4999, 1],
    [1, 2],
    [60_000, 2],
  ] as const) {
    clock.advance(waitMs);
    await publish(1);
    expect(attempts()).toBe(expected);
  }
});

it("[HS-10d] finds out with one message in 30 s whether somebody watches who has not announced it", async () => {
  const { clock, watchers, publish } = rig();
  await publish(0);
  clock.advance(29_999);
  expect(watchers.isWatched("one")).toBe(false);
  clock.advance(1);
  expect(watchers.isWatched("one")).toBe(true);
  const learn = watchers.publishing("one");
  expect(watchers.isWatched("one")).toBe(false);
  learn(1);
  expect(watchers.isWatched("one")).toBe(true);
});
