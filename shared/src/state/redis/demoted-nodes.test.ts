import { expect, it } from "vitest";
import { silentLogger } from "../../platform/logger.ts";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { createDemotedNodes } from "./demoted-nodes.ts";

const node = "cache:6379";
const refusal = Object.assign(new Error("READONLY You can't write against a read only replica."), {
  name: "ReplyError",
});

const begins = "a cache node takes no writes any more";
const ends = "the cache node takes writes again";

function rig() {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);
  const answers = { takesWrites: true, asked: 0 };
  const demoted = createDemotedNodes({
    clock,
    logger: { ...silentLogger, info: note, error: note },
    async takesWrites() {
      answers.asked++;
      return answers.takesWrites;
    },
  });
  return { clock, lines, demoted, answers };
}

it("opens a connection again once a second, however many writes are refused, and says so once", async () => {
  const { clock, lines, demoted } = rig();
  const connection = {};
  let reconnections = 0;
  for (let write = 0; write < 50; write++) {
    if (demoted.refused(node, connection, refusal)) reconnections++;
    clock.advance(100);
  }
  expect(reconnections).toBe(5);
  expect(lines).toEqual([begins]);
  await clock.advanceAsync(3000, 1000);
  expect(lines).toEqual([begins, ends]);
  expect(demoted.has(node)).toBe(false);
});

it("does not take a node for mended to which nobody has written, or which is away", async () => {
  const { clock, lines, demoted, answers } = rig();
  answers.takesWrites = false;
  demoted.refused(node, {}, refusal);
  await clock.advanceAsync(20_000, 1000);
  demoted.refused(node, {}, refusal);
  expect(lines).toEqual([begins]);
  answers.takesWrites = true;
  await clock.advanceAsync(3000, 1000);
  expect(lines).toEqual([begins, ends]);
});

it("goes by the last refusal, even if it comes while the node is being asked", async () => {
  const { clock, lines, demoted, answers } = rig();
  demoted.refused(node, {}, refusal);
  clock.advance(3000);
  expect(answers.asked).toBe(1);
  demoted.refused(node, {}, refusal);
  await clock.advanceAsync(2000, 1000);
  expect(lines).toEqual([begins]);
  await clock.advanceAsync(1000, 1000);
  expect(lines).toEqual([begins, ends]);
});

it("asks nothing more once it is closed", async () => {
  const { clock, lines, demoted } = rig();
  demoted.refused(node, {}, refusal);
  clock.advance(3000);
  demoted.close();
  await clock.advanceAsync(10_000, 1000);
  expect(lines).toEqual([begins]);
  expect(clock.pendingTimers).toBe(0);
});
