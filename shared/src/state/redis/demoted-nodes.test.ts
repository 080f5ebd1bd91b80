import { expect, it } from "vitest";
import { silentLogger } from "../../platform/logger.ts";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { DemotedNodes } from "./demoted-nodes.ts";

const node = "cache:6379";
const refusal = Object.assign(new Error("READONLY You can't write against a read only replica."), {
  name: "ReplyError",
});

function rig(isConnected: () => boolean = () => true) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);
  const demoted = new DemotedNodes({ clock, logger: { ...silentLogger, info: note, error: note }, isConnected });
  return { clock, lines, demoted };
}

it("opens a connection again once a second, however many writes are refused, and says so once", () => {
  const { clock, lines, demoted } = rig();
  const connection = {};
  let reconnections = 0;
  for (let write = 0; write < 50; write++) {
    if (demoted.refused(node, connection, refusal)) reconnections++;
    clock.advance(100);
  }
  expect(reconnections).toBe(5);
  expect(lines).toEqual(["a cache node takes no writes any more"]);
  clock.advance(3000);
  expect(lines).toEqual(["a cache node takes no writes any more", "the cache node takes writes again"]);
  expect(demoted.has(node)).toBe(false);
});

it("does not take a node for mended that is away", () => {
  let isConnected = false;
  const { clock, lines, demoted } = rig(() => isConnected);
  demoted.refused(node, {}, refusal);
  clock.advance(20_000);
  expect(lines).toHaveLength(1);
  isConnected = true;
  clock.advance(3000);
  expect(lines).toHaveLength(2);
});
