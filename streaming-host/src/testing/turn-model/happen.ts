/** Passes an event to the machine and carries out its effects as a session would, checking the rules. */
import { toAnswerKey } from "../../session/turn/text-kind.ts";
import { isLastWords, isVerbatim } from "../../session/turn/turn-effects.ts";
import type { ReplyPlan, TurnEffect } from "../../session/turn/turn-effects.ts";
import type { TimelessTurnEvent } from "../../session/turn/turn-events.ts";
import { stepTurn } from "../../session/turn/turn-machine.ts";
import type { TurnSettings } from "../../session/turn/turn-settings.ts";
import { isSaidAgain } from "../../session/turn/operator-lines.ts";
import { runningReply } from "../../session/turn/turn-state.ts";
import { lostByHangingUp } from "./hang-up.ts";
import type { LiveReply, RunningTimer, World } from "./world.ts";
import { backchannel, isMeantToBeSilent } from "./world.ts";

type EffectOf<Type extends TurnEffect["type"]> = Extract<TurnEffect, { readonly type: Type }>;

export function happen(world: World, event: TimelessTurnEvent, settings: TurnSettings): World {
  const { state, effects } = stepTurn(world.turn, { ...event, atMs: world.nowMs }, settings);
  let after: World = { ...world, turn: state, owedLines: owedAfter(world, event) };
  for (const effect of effects) after = carryOut(after, effect);
  const hasOne = runningReply(state.agent)?.turnId === after.reply?.turnId;
  if (!hasOne && !after.hasEnded)
    after = breaks(after, "the machine and the session agree on which reply has the floor");
  if (
    settings.policy.turnsEndedBy !== "us" &&
    mustBeKept(world, event) &&
    !effects.some(({ type }) => type === "keep-words")
  )
    after = breaks(after, "[HIST-1] what the caller said is kept");
  const { cutLine } = state;
  if (after.hasEnded || cutLine === undefined)
    return isEveryLineKnown(after) ? after : breaks(after, "[PERSON-1] [PERSON-2] no operator's line is lost");
  // The session reports what was heard of it as soon as this event is processed.
  const heard = world.reply?.isAudible !== true ? "nothing" : world.reply.isNearlyOver ? "most" : "beginning";
  return happen(after, { type: "line-cut", turnId: cutLine.turnId, heard }, settings);
}

function owedAfter({ owedLines, turn }: World, event: TimelessTurnEvent): number {
  if (event.type === "line-given") return owedLines + 1;
  const reply = runningReply(turn.agent);
  const isSaid =
    (event.type === "line-cut" && turn.cutLine !== undefined && !isSaidAgain(turn.cutLine.line, event.heard)) ||
    (event.type === "reply-drained" && reply?.turnId === event.turnId && reply.kind === "line");
  return isSaid ? owedLines - 1 : owedLines;
}

/** At the end the session refuses the line that the end has cut off, and a successor gets what is left open. */
function isEveryLineKnown({ owedLines, hasEnded, turn, reply }: World): boolean {
  return hasEnded || owedLines === turn.lines.length + (reply?.kind === "line" ? 1 : 0);
}

function mustBeKept({ hasEnded, isVoicemail }: World, event: TimelessTurnEvent): boolean {
  return event.type === "final" && event.text !== "" && !hasEnded && !isVoicemail;
}

function breaks(world: World, rule: string): World {
  return { ...world, broken: world.broken ?? rule };
}

function carryOut(world: World, effect: TurnEffect): World {
  if (effect.type === "refuse-line") return { ...world, owedLines: world.owedLines - 1 };
  if (world.hasEnded) return breaks(world, `[END-3] nothing is done after the end (${effect.type})`);
  switch (effect.type) {
    case "begin-reply":
      return begin(world, effect.plan);
    case "cancel-reply":
      return cancel(world, effect);
    case "hold-playout":
    case "resume-playout":
      return holdOrResume(world, effect);
    case "say-filler":
      return sayFiller(world, effect);
    case "prepare-reply":
      return prepare(world, effect);
    case "discard-prepared":
      if (world.prepared === undefined) return breaks(world, "[TURN-10] a prepared answer is discarded once");
      return { ...world, prepared: undefined };
    case "keep-words":
      return keep(world, effect.text);
    case "set-timer":
      return setTimer(world, effect);
    case "clear-timer":
      return { ...world, timers: without(world.timers, effect) };
    case "give-up-model":
    case "end-session":
      return end(world);
    case "refuse-response":
    case "report-silence":
    case "flush-recogniser":
      return world;
    default:
      return world; // nothing that these rules speak of
  }
}

/** Kinds of words which claim that the caller was not heard, or is absent, although they have spoken. */
const deafWords: ReadonlySet<string> = new Set(["reprompt", "clarification"]);

const saidOnlyToListeners: ReadonlySet<string> = new Set(["answer", "clarification", "patience", "reprompt"]);

function begin(world: World, plan: ReplyPlan): World {
  const { turnId, kind, text, prepared } = plan;
  if (world.reply !== undefined) return breaks(world, "[BARGE-5] a reply begins when the one before is over");
  if (world.lastTurnId === turnId) return breaks(world, "each reply has a turn of its own");
  if (deafWords.has(kind) && world.unanswered.length > 0)
    return breaks(world, "[TURN-11] the caller's finals are answered");
  if (kind === "reprompt" && world.turn.firstMove === "answer")
    return breaks(world, "[REC-3h] a caller who is owed an answer is not asked whether they are there");
  if (world.hasPerson && !isLastWords(kind)) return breaks(world, "[PERSON-4] the agent is silent beside a person");
  if (isVerbatim(kind) && text === "") return breaks(world, `a ${kind} has the words that were given`);
  if (kind === "line" && plan.origin === "session" && (isMeantToBeSilent(world) || world.speaksSinceMs !== undefined))
    return breaks(world, "[OPS-3] an operator's line is said when nobody speaks and the caller hears it");
  if (world.hearsMusic && saidOnlyToListeners.has(kind))
    return breaks(world, "[EFFECT-11] a caller who hears music is not spoken to");
  const reply: LiveReply = { turnId, kind, isAudible: false, isHeld: false, isNearlyOver: false };
  const after: World = { ...world, reply };
  if (kind === "apology" && world.hasGap)
    return { ...after, isAskedToRepeat: true, unanswered: [], utterances: forgotten(world) };
  if (kind !== "answer" || plan.origin !== "session") return after;
  const matches = world.prepared !== undefined && toAnswerKey(world.prepared) === toAnswerKey(text);
  if (prepared !== matches)
    return breaks(after, "[TURN-10] a prepared answer is used for the same text, and for no other");
  return answerAll({ ...after, prepared: undefined, hasGap: false, isAskedToRepeat: false }, text);
}

/** EFFECT-11: kept and not answered. What it has of the open utterance is known when its final comes. */
function keep(world: World, text: string): World {
  let rest = text;
  const unanswered = world.unanswered.filter((words) => {
    const isKept = rest.includes(words);
    if (isKept) rest = rest.replace(words, "");
    return !isKept;
  });
  const [first, ...later] = world.utterances;
  const isInIt = first?.endedMs !== undefined && first.partial !== "" && rest.includes(first.partial);
  return { ...world, unanswered, utterances: isInIt ? [{ ...first, isAnswered: true }, ...later] : world.utterances };
}

/** TAKE-3: the caller is asked to repeat what they said, so later results for it are ignored. Who is still speaking, and has keyed, says more. */
function forgotten({ utterances }: World): World["utterances"] {
  return utterances.map((said) => ({ ...said, isAnswered: said.partial !== "" && said.endedMs !== undefined }));
}

function answerAll(world: World, text: string): World {
  let rest = text;
  for (const words of world.unanswered) {
    if (!rest.includes(words)) return breaks(world, "[TURN-11] the caller's finals are answered together");
    rest = rest.replace(words, "");
  }
  const [first, ...later] = world.utterances;
  const isInIt = first !== undefined && first.partial !== "" && rest.includes(first.partial);
  const unknown = isInIt && !first.isAnswered ? rest.replace(first.partial, "") : rest;
  // A backchannel over a reply may be answered, and need not be (BARGE-8).
  if (unknown.replaceAll(backchannel, "").trim() !== "") return breaks(world, "[TURN-11] nothing is answered twice");
  return {
    ...world,
    unanswered: [],
    // Somebody who types while they speak says more in the same utterance, so that its final is new.
    utterances: isInIt ? [{ ...first, isAnswered: first.endedMs !== undefined }, ...later] : world.utterances,
  };
}

function cancel(world: World, { turnId, reason }: EffectOf<"cancel-reply">): World {
  const { reply } = world;
  if (reply?.turnId !== turnId) return breaks(world, "a reply is cancelled once, and only while it runs");
  if (reason === "barge_in" && isLastWords(reply.kind)) return breaks(world, "[BARGE-9] a farewell is not interrupted");
  if (reason === "barge_in" && reply.kind === "announcement")
    return breaks(world, "[REC-3] an announcement is not interrupted");
  return { ...world, reply: undefined, lastTurnId: turnId };
}

function holdOrResume(world: World, { type, turnId }: EffectOf<"hold-playout" | "resume-playout">): World {
  const { reply } = world;
  const isHold = type === "hold-playout";
  if (reply?.turnId !== turnId || reply.isHeld === isHold)
    return breaks(world, "[BARGE-1] playout is paused and resumed once each, in turn");
  return { ...world, reply: { ...reply, isHeld: isHold } };
}

function sayFiller(world: World, { turnId }: EffectOf<"say-filler">): World {
  if (world.reply?.turnId !== turnId) return breaks(world, "[FILL-1] a filler belongs to the reply that runs");
  const mayTalk = !world.isPaused && world.speaksSinceMs === undefined && !world.reply.isHeld;
  return mayTalk ? world : breaks(world, "[FILL-2] a filler is not said over the caller, nor into a pause");
}

function prepare(world: World, { text }: EffectOf<"prepare-reply">): World {
  if (world.prepared !== undefined) return breaks(world, "[TURN-10] one answer is prepared at a time");
  return { ...world, prepared: text };
}

function setTimer(world: World, { timer, delayMs }: EffectOf<"set-timer">): World {
  if (!Number.isFinite(delayMs) || delayMs < 0) return breaks(world, `the timer ${timer} has a time at which it fires`);
  return { ...world, timers: [...without(world.timers, { timer }), { timer, dueMs: world.nowMs + delayMs }] };
}

function without(timers: World["timers"], { timer }: Pick<RunningTimer, "timer">): World["timers"] {
  return timers.some((running) => running.timer === timer)
    ? timers.filter((running) => running.timer !== timer)
    : timers;
}

function end(world: World): World {
  if (world.prepared !== undefined)
    return breaks(world, "[TURN-10] nothing is prepared for a conversation that is over");
  if (world.reply !== undefined) return breaks(world, "[END-3] no reply outlives the conversation");
  const lost = lostByHangingUp(world);
  if (lost !== undefined) return breaks(world, lost);
  return { ...world, hasEnded: true, timers: [], unanswered: [] };
}
