import { expressions, words } from "../turn-words.ts";
import type { LanguagePack } from "../language-pack.ts";
import { endOfTurn } from "./end-of-turn-words.ts";
import { numbers } from "./numbers.ts";
import { sentences } from "./sentences.ts";
import { turnWords } from "./turn-words.ts";
import { dateToWords, digitsToWords, moneyToWords } from "./values-to-words.ts";

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
  turnWords,
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
