/**
 * The callers that turn-taking is measured with. There are two sets that share neither a sentence nor a voice: constants may be chosen by
 * the one, and what is claimed is what the other shows.
 */

export interface CallerSet {
  readonly voices: readonly string[];
  /** Whole sentences, said in one breath. */
  readonly sentences: readonly string[];
  /** A sentence that makes the agent ask, and a word or two that answer it. */
  readonly answers: readonly (readonly [sentence: string, answer: string])[];
  readonly digits: readonly (readonly [sentence: string, digits: string])[];
  /** Sentences in which the caller stops to think. */
  readonly halves: readonly (readonly [first: string, second: string])[];
  /** What a listener murmurs while the agent speaks. */
  readonly murmurs: readonly string[];
  readonly interruptions: readonly string[];
}

export const callerSets: Readonly<Record<"tuning" | "held-out", CallerSet>> = {
  tuning: {
    voices: ["slt", "kal16"],
    sentences: [
      "i want to check my balance",
      "what is my account balance",
      "how much money have i got",
      "i lost my card",
      "i want to block my card",
      "what are my recent transactions",
      "what did i spend last week",
      "can you refund the fee",
      "send me a code",
      "what are your fees",
      "i want to talk to a person",
      "give me a summary of my accounts",
    ],
    answers: [
      ["i want to check my balance", "checking"],
      ["what is my account balance", "savings"],
      ["i lost my card", "my credit card"],
      ["this is ridiculous", "no"],
      ["you are useless", "yes"],
      ["call me back", "tomorrow"],
    ],
    digits: [
      ["what are my recent transactions", "seven two nine six"],
      ["i want to verify my identity", "one two three four"],
      ["can you refund the fee", "nine zero five one"],
    ],
    halves: [
      ["i want to check", "my balance"],
      ["what is the balance", "of my checking account"],
      ["i would like to know", "my savings balance"],
      ["how much is in my", "savings account"],
      ["i want to talk", "to a person"],
      ["somebody stole", "my card"],
      ["can you send me", "a new credit card"],
      ["what are my", "recent transactions"],
      ["i want a refund", "of the overdraft fee"],
      ["give me a summary", "of my accounts"],
      ["send a code", "to my phone"],
      ["please connect me", "to a person"],
      ["i cannot find", "my debit card"],
      ["what does it cost", "to send money"],
    ],
    murmurs: ["uh huh", "okay", "yeah", "right", "i see", "got it", "sure"],
    interruptions: ["i lost my card", "wait", "i want to check my balance"],
  },
  "held-out": {
    voices: ["rms", "awb"],
    sentences: [
      "how much do i have in my account",
      "can you tell me my balance",
      "somebody stole my card",
      "my wallet was stolen",
      "i need a new card",
      "tell me my last transactions",
      "what was my last purchase",
      "please refund my fee",
      "i want a security code",
      "how much is a wire transfer",
      "can i speak to a real person",
      "tell me about all my accounts",
    ],
    answers: [
      ["how much do i have in my account", "savings"],
      ["can you tell me my balance", "checking please"],
      ["somebody stole my card", "debit"],
      ["this does not help me", "yes"],
      ["i hate this", "no"],
      ["i want a call back", "friday"],
    ],
    digits: [
      ["tell me my last transactions", "four four one two"],
      ["please verify me", "seven two nine six"],
      ["please refund my fee", "eight three oh six"],
    ],
    halves: [
      ["i have a question", "about my credit card"],
      ["how much money is in", "my checking account"],
      ["i would like to speak", "with a human"],
      ["can you tell me", "my balance"],
      ["i want to hear", "my recent activity"],
      ["i was charged", "an overdraft fee"],
      ["tell me about", "all my accounts"],
      ["i want to have", "my debit card blocked"],
      ["what is the limit", "on my credit card"],
      ["i need a replacement", "for my credit card"],
      ["let me talk", "to a human"],
      ["take the fee", "off my account"],
      ["i did not get", "the code"],
      ["how much did i spend", "at the market"],
    ],
    murmurs: ["uh huh", "okay", "yeah", "all right", "i see", "great", "oh okay"],
    interruptions: ["somebody stole my card", "stop", "what was my last purchase"],
  },
};
