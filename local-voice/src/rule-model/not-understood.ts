/** Answers words that match no intent: a question that the agent cannot answer, a backchannel, or a miss. */
import { isListenerSound } from "../spoken-english/listener-sounds.ts";
import { isQuestion, lastQuestion } from "../spoken-english/questions.ts";
import { escalate, findIntent, scopeOf, spoken } from "./carry-out.ts";
import { answered, speak, type DialogueContext, type DialogueState, type DialogueStep } from "./dialogue-state.ts";
import { nearestRequest, questionAbout } from "./nearest-request.ts";
import { tokenise } from "./compare-words.ts";

/**
 * After the first miss the agent asks the caller to rephrase, after the second it says what it can do, and after the
 * third it escalates to a person.
 */
const patientMisses = 3;
/** The limit for an agent that cannot say what it can do: asking the same thing twice does not help. */
const escalationMisses = 2;

export function notUnderstood(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const tokens = tokenise(utterance);
  if (isListenerSound(tokens)) return askOn(state, context);
  const nearest = state.doubt === undefined ? nearestRequest(utterance, context) : undefined;
  if (nearest !== undefined) {
    const doubt = { guess: nearest, isOpen: true, isMeant: true };
    return speak({ ...state, offered: undefined, doubt }, questionAbout(doubt));
  }
  const misses = state.misses + 1;
  const { orientation, fallback } = context.rules;
  const canOrient = orient(orientation?.again, context) !== undefined;
  if (misses >= (canOrient ? patientMisses : escalationMisses)) return escalate(state, context);
  const missed = { ...state, offered: undefined, misses };
  if (isQuestion(tokens, utterance))
    return speak(missed, orient(orientation?.offTopic, context) ?? say(fallback, context));
  const again = misses > 1 ? orient(orientation?.again, context) : undefined;
  return speak(missed, again ?? say(fallback, context));
}

/** A backchannel such as "uh huh" asks for nothing, and is not a miss either. */
function askOn(state: DialogueState, context: DialogueContext): DialogueStep {
  const question = lastQuestion(state.lastSaid) ?? say(context.rules.arrival, context);
  return speak({ ...answered(state), offered: state.offered }, question);
}

/** What the agent can do; undefined if its rules do not say. */
function orient(opening: string | undefined, context: DialogueContext): string | undefined {
  const { orientation } = context.rules;
  const action = orientation && findIntent(context.rules, orientation.intent)?.action;
  if (opening === undefined || action?.type !== "say") return undefined;
  return `${say(opening, context)} ${say(action.say, context)}`;
}

function say(template: string, context: DialogueContext): string {
  return spoken(template, scopeOf(context, {}));
}
