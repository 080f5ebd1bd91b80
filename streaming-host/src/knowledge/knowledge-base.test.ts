import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKnowledge } from "@voice/shared/knowledge/read-knowledge";
import { createSearchTool } from "@voice/shared/knowledge/search-knowledge";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { runTools } from "@voice/shared/tools/run-tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKnowledgeBase } from "./knowledge-base.ts";
import type { KnowledgeParts } from "./knowledge-base.ts";

const { signal } = new AbortController();
const clock = new VirtualClock();
let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "knowledge-"))));
afterEach(() => rm(dir, { recursive: true }));

async function open(files: Readonly<Record<string, string>>, changes: Partial<KnowledgeParts> = {}) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dir, "knowledge", path, ".."), { recursive: true });
    await writeFile(join(dir, "knowledge", path), text);
  }
  const { sources, problems } = await readKnowledge([dir]);
  expect(problems).toEqual([]);
  const searchService = () => Promise.reject(new Error("there is no service"));
  return await createKnowledgeBase({ sources, language: "en-US", searchService, logger: silentLogger, ...changes });
}

async function call(search: Awaited<ReturnType<typeof open>>, question: string, knowledge: readonly string[]) {
  const tool = createSearchTool(search);
  const checks = createIdentityChecks(createMemoryState({ clock }).counters, () => "ada", false);
  const context = { sessionId: "s", turnId: "t", agent: "desk", memory: {}, clock, checks, knowledge };
  const [result] = await runTools([{ id: "1", name: tool.name, argumentsJson: JSON.stringify({ question }) }], {
    tools: new Map([[tool.name, tool]]),
    context,
    interrupted: signal,
  });
  return result?.result;
}

const files = {
  "clinic/hours.md": "# Opening hours\n\nThe clinic is open from eight to six.",
  "pharmacy/hours.html": "<h1>Opening hours</h1><p>The pharmacy is open until midnight.</p>",
};

describe("what an agent may know", () => {
  it("[KNOW-1] is in its own sources and in no other agent's", async () => {
    const search = await open(files);
    expect(await call(search, "When are you open?", ["clinic"])).toMatchObject({
      success: true,
      answer: "The clinic is open from eight to six.",
      passages: [{ text: "The clinic is open from eight to six.", title: "Opening hours", source: "hours.md" }],
    });
    expect(await call(search, "When are you open?", ["pharmacy"])).toMatchObject({
      answer: "The pharmacy is open until midnight.",
    });
    expect(await call(search, "When are you open?", [])).toMatchObject({ success: false, error: "nothing_found" });
  });

  it("[KNOW-1] may be in several sources, whose best passages come first", async () => {
    const found = await (await open(files)).search(["clinic", "pharmacy"], "opening hours", signal);
    expect(found.map(({ source }) => source)).toEqual(["hours.md", "hours.html"]);
  });

  it("[KNOW-3] is not known where no document answers, and the agent is told to say so", async () => {
    const search = await open(files);
    expect(await call(search, "Do you sell bicycles?", ["clinic"])).toEqual({
      success: false,
      error: "nothing_found",
      message: "I am sorry, I do not know that. What else can I do for you?",
      note: expect.stringMatching(/do not know.*Do not guess/),
    });
  });

  it("[KNOW-4] stops the start with every document that cannot be read", async () => {
    await expect(open({ "clinic/a.pdf": "no", "clinic/b.md": "", "clinic/c.md": "Fine." })).rejects.toThrow(
      /knowledge\/clinic\/a\.pdf: cannot be read: [\s\S]*\nknowledge\/clinic\/b\.md: there is no text in it/,
    );
  });

  it("[KNOW-5] is found by meaning once the vectors are there, and by words while the server is away", async () => {
    const logger = { ...silentLogger, warn: vi.fn<Logger["warn"]>(), info: vi.fn<Logger["info"]>() };
    let isAway = false;
    const embed: KnowledgeParts["embed"] = (texts) =>
      isAway
        ? Promise.reject(new VoiceError("upstream_unavailable", "away"))
        : Promise.resolve(texts.map((text) => (/open|doors/i.test(text) ? [1, 0] : [0, 1])));
    const search = await open(files, { embed, logger });
    await vi.waitFor(() => expect(logger.info).toHaveBeenCalledTimes(2));
    const doors = "How late are your doors unlocked?";
    expect((await search.search(["pharmacy"], doors, signal)).map(({ source }) => source)).toEqual(["hours.html"]);
    isAway = true;
    expect(await search.search(["pharmacy"], doors, signal)).toEqual([]);
    expect(await search.search(["pharmacy"], "When are you open?", signal)).toHaveLength(1);
    expect(logger.warn).toHaveBeenCalled();
  });
});
