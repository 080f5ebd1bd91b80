import { expressions } from "../turn-words.ts";
import type { TurnWords } from "../turn-words.ts";

export const turnWords: TurnWords = {
  hesitations: expressions("um|uh|er|erm|hmm|um um|uh um"),
  backchannels: expressions(
    "uh-huh|uh huh|uhhuh|mm-hmm|mm hmm|mhm|hmm|mm|mmm|um|uh|ah|oh|okay|ok|yeah|yep|yes|right|sure|i see|got it|alright|all right|good|great|cool|" +
      "oh okay|oh ok|okay okay|yeah yeah|uh-huh uh-huh|right right",
  ),
  commands: expressions(
    "stop|wait|hold on|hang on|hold it|no|no no|pause|quiet|be quiet|excuse me|sorry|one moment|one second|just a moment|just a second|stop it|stop please|please stop",
  ),
  greetings: expressions("hi|hello|hey|hi there|hello there|hey there|good morning|good afternoon|good evening"),
  answersAlone: expressions("yes|no|yeah|yep|nope|sure|okay|correct|right|no thank you|yes please|no thanks"),
  everyday: expressions(
    "uh huh|mm hmm|okay|yeah|i see|got it|all right|right|sure|great|oh okay|stop|wait|hold on|excuse me|one moment",
  ),
};
