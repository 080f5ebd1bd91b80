import { expressions } from "../turn-words.ts";
import type { TurnWords } from "../turn-words.ts";

export const turnWords: TurnWords = {
  hesitations: expressions("um|umm|uhm|uh|uhh|er|erm|hm|hmm"),
  backchannels: expressions(
    "uh-huh|uh huh|uhhuh|mm-hmm|mm hmm|mmhmm|mhm|mhmm|hm|hmm|mm|mmm|um|umm|uhm|uh|uhh|ah|aha|oh|okay|ok|yeah|yep|yup|yes|right|that's right|correct|exactly|of course|sure|" +
      "i see|i understand|understood|got it|gotcha|makes sense|that makes sense|sounds good|alright|all right|fine|good|great|perfect|nice|lovely|cool|wow|really|ha|haha",
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
