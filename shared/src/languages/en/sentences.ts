import type { Sentences } from "../sentences.ts";

export const sentences: Sentences = {
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
