/** What the host, the call and the realtime service may do next. */
import { told } from "./caller-moves.ts";
import type { NamedMove } from "./caller-moves.ts";
import { happen } from "./happen.ts";

export const effectEnds: NamedMove = {
  words: "what was done with the call has failed, or is over",
  apply(world, settings) {
    const { effect, hearsMusic } = world;
    if (effect === undefined || hearsMusic) return undefined; // the host ends the music first
    const isHold = effect === "hold";
    const words = isHold ? "resumption" : "regret";
    return happen({ ...world, effect: undefined }, { type: "effect-ended", isHold, words }, settings);
  },
};

function effectBegins(effect: "transfer" | "hold"): NamedMove {
  return {
    words: `a ${effect} begins`,
    apply: (world, settings) =>
      world.effect === undefined
        ? happen({ ...world, effect }, { type: "effect-started", isHold: effect === "hold" }, settings)
        : undefined,
  };
}

const musicBegins: NamedMove = {
  words: "the caller hears music while a person is told who is calling",
  apply: (world, settings) =>
    world.effect === "transfer" && !world.hearsMusic
      ? happen({ ...world, hearsMusic: true }, { type: "hold-changed", onHold: true }, settings)
      : undefined,
};

export const musicEnds: NamedMove = {
  words: "the caller hears the agent again",
  apply: (world, settings) =>
    world.hearsMusic
      ? happen({ ...world, hearsMusic: false }, { type: "hold-changed", onHold: false }, settings)
      : undefined,
};

const givesLine: NamedMove = {
  words: "an operator has the agent say something",
  apply: (world, settings) =>
    world.turn.lines.length === 0
      ? happen(world, { type: "line-given", text: "a person will call you" }, settings)
      : undefined,
};

const personJoins: NamedMove = {
  words: "a person takes over",
  apply: (world, settings) =>
    // The person hears what may have been lost before, so nobody is asked to repeat it.
    world.hasPerson
      ? undefined
      : happen({ ...world, hasPerson: true, hasGap: false }, { type: "person-joined" }, settings),
};

export const personLeaves: NamedMove = {
  words: "the person hands the conversation back",
  apply: (world, settings) =>
    world.hasPerson ? happen({ ...world, hasPerson: false }, { type: "person-left" }, settings) : undefined,
};

const machineAnswers: NamedMove = {
  words: "an answering machine has taken the call",
  apply: (world, settings) =>
    world.isVoicemail
      ? undefined
      : happen({ ...world, isVoicemail: true, unanswered: [] }, { type: "voicemail-answered" }, settings),
};

export const leavesMessage: NamedMove = {
  words: "the message for the answering machine is due",
  apply: (world, settings) =>
    world.isVoicemail
      ? happen(world, { type: "last-words", text: "please call us back", reason: "voicemail" }, settings)
      : undefined,
};

const responds = told("the service begins a response", { type: "response-started" });
const loses: NamedMove = {
  words: "the connection of the reply is lost",
  apply: (world, settings) =>
    world.reply && happen(world, { type: "reply-lost", turnId: world.reply.turnId }, settings),
};
const modelGoes = told("the realtime model is gone", {
  type: "model-lost",
  hearsWords: false,
  isReplyUnfinished: true,
});

export const callMoves = {
  effects: [effectBegins("transfer"), effectBegins("hold"), musicBegins, musicEnds, effectEnds],
  operator: [givesLine, personJoins, personLeaves],
  endings: [
    told("a tool asks to hang up", { type: "end-requested", reason: "agent_ended" }),
    told("the host says goodbye", { type: "farewell-requested", reason: "draining" }),
    machineAnswers,
    leavesMessage,
  ],
  service: [responds, loses, modelGoes],
} as const;
