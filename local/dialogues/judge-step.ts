/** Compares an answer with what the dialogue expects. Pure. */
import type { Reply, FinishedToolCall } from "../person/reply.ts";
import { isWordless } from "./dialogue.ts";
import type { DialogueAction, ExpectedTool, Expectations } from "./dialogue.ts";

export interface Deviation {
  readonly expected: string;
  readonly got: string;
}

export function judgeReply(expects: Expectations, reply: Reply): readonly Deviation[] {
  const answer = answerText(reply);
  const agent = reply.says.at(-1)?.agent;
  return [
    ...reply.errors.map(({ code, message }) => ({ expected: "no error", got: `${code}: ${message}` })),
    ...(expects.tools === undefined ? [] : judgeTools(expects.tools, toolsOf(reply))),
    ...judgeHandoffs(expects.handoffs, reply),
    ...(expects.agent === undefined || sameName(expects.agent, agent)
      ? []
      : [{ expected: `agent ${expects.agent}`, got: agent ?? "nobody spoke" }]),
    ...expects.answerHas
      .filter((words) => !hasWords(answer, words))
      .map((words) => ({ expected: `answer has "${words}"`, got: `"${answer}"` })),
    ...judgeAny(expects.answerHasAny ?? [], answer),
    ...(expects.noAnswer === true && (reply.says.length > 0 || reply.firstAudioMs !== undefined)
      ? [{ expected: "no answer", got: `"${answer}"` }]
      : []),
    ...expects.answerLacks
      .filter((words) => hasWords(answer, words))
      .map((words) => ({ expected: `answer lacks "${words}"`, got: `"${answer}"` })),
    ...judgeTime(expects.withinMs, reply.firstAudioMs),
    ...judgeEnd(expects.ends, reply.ended),
  ];
}

/** Judges a step that interrupts the one before: was there anything to interrupt? A cough or a pause does not. */
export function judgeInterruption(action: DialogueAction, interrupting: Reply): readonly Deviation[] {
  if (isWordless(action)) return [];
  if (interrupting.says.some(({ interrupted }) => interrupted)) return [];
  return [{ expected: "the answer before is interrupted", got: "it was over, or went on" }];
}

/** The sentences that agents finished; one that an interruption cut off belongs to the previous turn. */
export function answerText(reply: Reply): string {
  return reply.says
    .filter(({ interrupted }) => !interrupted)
    .map(({ text }) => text)
    .join(" ");
}

export function toolsOf(reply: Reply): readonly FinishedToolCall[] {
  return reply.toolCalls.filter(({ name }) => !name.startsWith("handoff_"));
}

/** Matches whole words in this order, ignoring letter case and the punctuation between them. */
export function hasWords(text: string, words: string): boolean {
  return ` ${bare(text)} `.includes(` ${bare(words)} `);
}

/** For comparing words only. */
export function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}']+/gu, " ")
    .trim();
}

function judgeAny(choices: readonly string[], answer: string): readonly Deviation[] {
  if (choices.length === 0 || choices.some((words) => hasWords(answer, words))) return [];
  return [{ expected: `answer has ${choices.map((words) => `"${words}"`).join(" or ")}`, got: `"${answer}"` }];
}

function judgeTools(expected: readonly ExpectedTool[], called: readonly FinishedToolCall[]): readonly Deviation[] {
  const fits =
    expected.length === called.length &&
    expected.every((tool, index) => {
      const call = called[index];
      return (
        call !== undefined &&
        call.name === tool.name &&
        contains(call.args, tool.args) &&
        contains(call.result, tool.result)
      );
    });
  if (fits) return [];
  return [{ expected: list(expected.map(describeExpected)), got: list(called.map(describeCall)) }];
}

function judgeHandoffs(expected: readonly string[] | undefined, reply: Reply): readonly Deviation[] {
  const taken = reply.handoffs.map(({ to }) => to);
  if (expected === undefined) return [];
  if (expected.length === taken.length && expected.every((to, index) => sameName(to, taken[index]))) return [];
  return [{ expected: `handoff to ${list(expected)}`, got: list(taken) }];
}

function judgeTime(withinMs: number | undefined, firstAudioMs: number | undefined): readonly Deviation[] {
  if (withinMs === undefined || (firstAudioMs !== undefined && firstAudioMs <= withinMs)) return [];
  const got = firstAudioMs === undefined ? "no audio" : `${Math.round(firstAudioMs)} ms`;
  return [{ expected: `audio within ${withinMs} ms`, got }];
}

function judgeEnd(expected: string | true | undefined, ended: string | undefined): readonly Deviation[] {
  if (expected === undefined)
    return ended === undefined ? [] : [{ expected: "the conversation goes on", got: `it ended: ${ended}` }];
  if (ended !== undefined && (expected === true || hasWords(ended, expected))) return [];
  const reason = expected === true ? "" : `: ${expected}`;
  return [{ expected: `the conversation ends${reason}`, got: ended ?? "it goes on" }];
}

/** Whether `whole` contains every value of `part`, at any depth. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return Object.is(whole, part);
  if (typeof whole !== "object" || whole === null) return false;
  const present = new Map(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => contains(present.get(key), value));
}

function describeExpected({ name, args, result }: ExpectedTool): string {
  return `${name}${described("(", args, ")")}${described(" → ", result, "")}`;
}

function describeCall({ name, args, result, status }: FinishedToolCall): string {
  return `${name}(${JSON.stringify(args)}) → ${status === "error" ? JSON.stringify(result) : status}`;
}

function described(before: string, values: Readonly<Record<string, unknown>>, after: string): string {
  return Object.keys(values).length === 0 ? "" : `${before}${JSON.stringify(values)}${after}`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join(", ");
}

function sameName(left: string, right: string | undefined): boolean {
  return left.toLowerCase() === right?.toLowerCase();
}
