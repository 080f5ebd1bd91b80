import type { EndOfTurnWords } from "../end-of-turn-words.ts";
import { expressions, words } from "../turn-words.ts";

export const endOfTurn: EndOfTurnWords = {
  shortAnswers: new Set(
    expressions(
      "yes|no|yeah|yep|yup|nope|nah|sure|okay|ok|correct|right|wrong|alright|all right|fine|good|great|perfect|exactly|absolutely|definitely|stop|wait|hello|hi|goodbye|bye|thanks|thank you|" +
        "what|pardon|sorry|yes it is|no it isn't|no it's not|yes i am|no i'm not|that's it|that's fine|that's good|that works|sounds good|got it|nothing else|nothing|never mind|" +
        "not sure|i'm not sure|maybe|say that again|can you repeat that|could you repeat that|who is this|thanks very much|thank you very much|you too|" +
        "yes please|no thanks|no thank you|that's right|that is right|that's correct|that is correct|that's all|that is all|" +
        "cancel|help|repeat|of course|yes i do|no i don't|not really|i don't know",
    ),
  ),
  hesitations: new Set(words("um uh er erm hmm hm mm")),
  fillers: new Set(words("well so like")),
  joints: new Set(
    words(
      "and or but because if the a an my your his her our their to of for with from at into than every i'm i'd i'll we're",
    ),
  ),
  carriers: new Set(words("it is it's that that's my the a an please um uh yes sure okay i think want would like one")),
  letters: new Set(["a", "i"]),
  pronouns: { words: new Set(["one"]), numeralsAfter: new Set(["is"]) }, // "the green one", "it is one"
};
