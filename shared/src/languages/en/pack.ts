import { expressions, words } from "../turn-phrases.ts";
import type { TurnPhrases } from "../turn-phrases.ts";
import type { LanguagePack } from "../language-pack.ts";
import { dateToWords, digitsToWords, moneyToWords, numberToWords } from "./spoken-values.ts";
import { numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import { zeros } from "./numerals.ts";
import type { Sentences } from "../sentences.ts";
import type { EndOfTurnWords } from "../end-of-turn-words.ts";

const endOfTurn: EndOfTurnWords = {
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

const turnPhrases: TurnPhrases = {
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

const sentences: Sentences = {
  reprompt: ["Are you still there?", "I did not hear anything. How can I help you?"],
  apology: [
    "I am sorry, something went wrong on my side. Could you say that again?",
    "I am sorry, I have a problem here. Please try once more.",
  ],
  regret: [
    "I am sorry, I could not get through. Is there something else I can do for you?",
    "I am sorry, nobody took the call. Can I help you with something else?",
  ],
  "regret-hold": ["I am sorry, I could not put you on hold. What can I do for you?"],
  "regret-keys": ["I am sorry, I could not press the keys. Is there something else I can do?"],
  resumption: ["Thank you for holding. How can I help you now?"],
  patience: [
    "I am still connecting you. One moment, please.",
    "I am still trying to connect you. Thank you for your patience.",
  ],
  farewell: ["Goodbye."],
  closing: ["This call has lasted as long as it may. Thank you for your time. Goodbye."],
  fillers: ["One moment, please.", "I am still working on it."],
  opener: "One moment, please.",
  cutByLength: "That is not all of it. Shall I go on?",
  cutByFilter: "I am sorry, I cannot say more about that. What else can I do for you?",
  refusedByFilter: "I am sorry, I cannot talk about that. What else can I do for you?",
  nothingToAdd: "All right. What else can I do for you?",
  handoffRefused: "I cannot connect you there right now. What else can I do for you?",
  notVerified: "I need to verify your identity before I can do that.",
  outcomeUnknown: "I am sorry, I cannot tell whether it went through. Please have that checked before we try again.",
  done: "That is done. Is there anything else I can do for you?",
  askAgain: "Thank you for waiting. Could you say once more what you need?",
  toolIsSlow: "One moment, please.",
  notKnown: "I am sorry, I do not know that. What else can I do for you?",
  linesTaken: "I am sorry, all our lines are taken at the moment. Please call again in a few minutes. Goodbye.",
  lineFault: "I am sorry, there is a fault on this line. Please call again. Goodbye.",
  introduction: {
    greeting: "Hello.",
    caller: "I have a caller for you. This is the reason.",
    connecting: "I am putting you through now.",
    areYouThere: "Hello? Please say something if you can take the call.",
  },
  voicemail:
    "Hello{% if context.caller_name %} {{ context.caller_name }}{% endif %}, {% if institution_name %}this is {{ institution_name }}{% else %}we tried to reach you{% endif %}{% if context.purpose %}, calling about {{ context.purpose }}{% endif %}. Please call us back. Goodbye.",
};

function spellings(value: number): readonly string[] {
  const words = numberToWords(value);
  if (value === 0) return [...zeros, "o"];
  if (value < 100) return [words];
  const joined = words.replace(" hundred ", " hundred and ");
  return value < 200 ? [words, joined, words.replace("one", "a"), joined.replace("one", "a")] : [words, joined];
}

/** English numbers: "one thousand two hundred thirty four", with or without "and". */
const numbers: SpokenNumbers = {
  toWords: numberToWords,
  find: numberReader({
    spellings,
    thousand: "thousand",
    beforeThousand: { a: 1 },
    isThousandAlone: false,
    afterThousand: "and",
    repetitions: { double: 2, triple: 3 },
  }),
};

export const english: LanguagePack = {
  code: "en",
  locale: "en-US",
  voices: [
    { locale: "en-US", voice: "en-US-AvaMultilingualNeural" },
    { locale: "en-GB", voice: "en-GB-SoniaNeural" },
    { locale: "en-AU", voice: "en-AU-NatashaNeural" },
    { locale: "en-IE", voice: "en-IE-EmilyNeural" },
    { locale: "en-IN", voice: "en-IN-NeerjaNeural" },
  ],
  sentences,
  turnPhrases,
  endOfTurn,
  questions: {
    yesOrNo:
      /^(?:and |so |then |or )*(?:(?:is|are|do|does|did|was|were|could|should|would|have|has|had)(?:n['’]t)?|am|can|can['’]t|shall|will|won['’]t|may|might|anything else|ready|correct|right|okay)\b/u,
    eitherWay: /\b(?:a )?yes or (?:a )?no\b|\bor not\b/u,
    code: /\b(?:digits?|(?:account|card|phone|policy|claim|security|reference|customer|member) number|pin|zip ?code|post(?:al)? ?code|(?:security|verification|access) code)\b/u,
    quantity: /\b(?:how (?:many|much|old|long|often|big)|what time|your age)\b/u,
    anyNumber: /\bnumber\b/u,
    request: /\b(?:please|tell|answer|read|give|enter|say|need)\b/u,
    or: "or",
    digitCount: /\b(\d{1,2}|[a-z]+)[- ]digits?\b/u,
  },
  numbers,
  values: { money: moneyToWords, digits: digitsToWords, date: dateToWords },
  machineWords:
    /(?<!\bto )\bleave (me |us )?(a|your) ((short|brief|detailed) )?(message|name)|\b(after|at|for|hear) the (tone|beep|signal)\b|\bvoice ?mail\b|\bmail ?box\b|\banswering machine\b|\brecord (a|your) message\b/iu,
  screeningWords:
    /\b(?:record|say|state|give) your name and (?:the |your )?(?:reason|why)|\breason for (?:calling|your call)\b|\b(?:call )?screening (?:service|assistant|this call|calls)\b|\bcall (?:assistant|assist)\b|\bsee if (?:this|the) person is available\b/iu,
  menuWords:
    /\b(?:press|dial|push|select|choose|enter|say)(?: or say| or press)? (?:the )?(?:(?:number|digit|option|key) )?(?:[0-9*#]|zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash)\b|\b(?:following|menu) options\b|\bmain menu\b/iu,
  notInServiceWords:
    /\b(?:number|line|extension)\b[^.?!]{0,60}\b(?:not (?:currently )?(?:in service|assigned|allocated|connected|valid|recogni[sz]ed)|not (?:a|been) (?:working|valid|recogni[sz]ed|assigned)|no longer (?:in (?:service|use)|assigned|valid|connected)|(?:been )?disconnected|out of service|unallocated|invalid|has (?:been )?changed|do(?:es)?(?: not|n['’]t) exist)\b|\b(?:can ?not|could not|can['’]t) be completed as dial/iu,
  questionWords:
    /\b(?:how|what|who|where|when|which|why)(?:['’]s| (?:is|are|am|can|may|could|do|does|did|would|will|shall|should))\b|\b(?:can|may|could) (?:i|we) (?:help|assist|ask|take)\b|\bare you (?:calling|there)\b/iu,
  abbreviations: {
    always: new Set(words("mr mrs ms dr prof st vs e.g i.e no approx dept fig jr sr")),
    beforeSmallLetters: new Set(expressions("a.m|p.m|etc|inc|ltd|co|u.s|u.k")),
    hasOrdinals: false,
  },
};
