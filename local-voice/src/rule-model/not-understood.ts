/** What is said to words that match nothing: a question that is none of the agent's, a listener's sound, or a miss. */
import { isListenerSound } from "../spoken-english/listener-sounds.ts";
import { isQuestion, lastQuestion } from "../spoken-english/questions.ts";
import { escalate, findIntent, scopeOf, spoken } from "./carry-out.ts";
import { answered, speak, type DialogueContext, type DialogueState, type DialogueStep } from "./dialogue-state.ts";
import { tokenise } from "./words.ts";

/** The first miss asks for other words, the second says what the agent can do, and what comes after it leads to a person. */
const patientMisses = 3;
/** Of an agent that has no words for what it can do: to ask the same thing twice helps nobody. */
const escalationMisses = 2;

export function notUnderstood(state: DialogueState, utterance: string, context: DialogueContext): DialogueStep {
  const tokens = tokenise(utterance);
  if (isListenerSound(tokens)) return askOn(state, context);
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

/** "Uh huh" to a listening agent: nothing was asked for, and nothing was misunderstood. */
function askOn(state: DialogueState, context: DialogueContext): DialogueStep {
  const question = lastQuestion(state.lastSaid) ?? say(context.rules.arrival, context);
  return speak({ ...answered(state), offered: state.offered }, question);
}

/** What the agent can do; undefined where it has no words for it. */
function orient(opening: string | undefined, context: DialogueContext): string | undefined {
  const { orientation } = context.rules;
  const action = orientation && findIntent(context.rules, orientation.intent)?.action;
  if (opening === undefined || action?.type !== "say") return undefined;
  return `${say(opening, context)} ${say(action.say, context)}`;
}

function say(template: string, context: DialogueContext): string {
  return spoken(template, scopeOf(context, {}));
}
