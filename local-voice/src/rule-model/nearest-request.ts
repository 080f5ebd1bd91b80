/** What a caller may have meant whose words are not near enough to any example to act on them. Rule EAR-33. */
import { doubtfulWords } from "@voice/shared/conversation/doubtful-words";
import type { AgentRules, Intent } from "../rules/rules.ts";
import type { DialogueContext, Doubt } from "./dialogue-state.ts";
import { isQuestion } from "../spoken-english/questions.ts";
import { nearIntents } from "./match-intent.ts";
import { tokenise } from "./compare-words.ts";

/**
 * Questions are alike in their first words, whatever they are about, so a question has to be nearer than another sentence. It has to be less
 * near where its meaning is known as well. The number for that case was measured with CLINC150: of a hundred sentences, three more get the
 * right "Did you mean", and one more of those that are about something else gets a wrong one.
 */
const leastOfQuestion = { byWords: 0.5, byMeaning: 0.46 };

/** A sentence that the agent understands, without a value that the caller has not said. */
export function nearestRequest(utterance: string, context: DialogueContext): string | undefined {
  const { rules, todayMs, meanings } = context;
  const { byWords, byMeaning } = leastOfQuestion;
  const ofQuestion = meanings === undefined ? byWords : byMeaning;
  const least = isQuestion(tokenise(utterance), utterance) ? ofQuestion : 0;
  const near = nearIntents(rules, utterance, todayMs, meanings).find(
    ({ intent, score }) =>
      score >= least && !isRemark(intent, rules) && isOffered(intent, context) && bareExample(intent) !== undefined,
  );
  return near && bareExample(near.intent);
}

function bareExample({ examples }: Intent): string | undefined {
  return examples.find((example) => !example.includes("{"));
}

function isOffered({ action }: Intent, context: DialogueContext): boolean {
  return action.type !== "handoff" || context.handoff(action.to, "") !== undefined;
}

/** A thank you, a greeting, "what was that?": asking about these would take longer than hearing them again. */
export function isRemark({ name, action, aside }: Intent, { orientation }: AgentRules): boolean {
  return action.type === "repeat" || (action.type === "say" && aside === true && name !== orientation?.intent);
}

/** About the words in doubt alone, if there are such. */
export function questionAbout({ guess, isMeant }: Doubt): string {
  const doubtful = doubtfulWords(guess);
  if (doubtful.length > 0) return `Did you say, ${doubtful.map((words) => `"${words}"`).join(" and ")}?`;
  const sentence = guess.replaceAll(/\bi\b/g, "I");
  return `Did you ${isMeant === true ? "mean" : "say"}, "${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}"?`;
}
