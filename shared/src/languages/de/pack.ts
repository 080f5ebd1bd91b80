import { dateWords } from "../date-words.ts";
import { digitWords } from "../digit-words.ts";
import type { LanguagePack } from "../language-pack.ts";
import { moneyWords } from "../money-words.ts";
import { words } from "../turn-words.ts";
import { endOfTurn } from "./end-of-turn-words.ts";
import { numbers } from "./numbers.ts";
import { sentences } from "./sentences.ts";
import { turnWords } from "./turn-words.ts";

export const german: LanguagePack = {
  code: "de",
  locale: "de-DE",
  voices: [
    { locale: "de-DE", voice: "de-DE-SeraphinaMultilingualNeural" },
    { locale: "de-AT", voice: "de-AT-IngridNeural" },
    { locale: "de-CH", voice: "de-CH-LeniNeural" },
  ],
  sentences,
  turnWords,
  endOfTurn,
  questions: {
    yesOrNo:
      /^(?:und |also |dann |oder |gut )*(?:ist|sind|bin|haben|hat|hatten|möchten|wollen|wünschen|können|könnten|kann|könnte|soll|sollen|darf|dürfen|dürfte|werden|wird|würden|wären|wäre|waren|war|stimmt|passt|brauchen|kennen|wissen|sonst noch|noch etwas|noch was|richtig|nicht wahr|in ordnung|einverstanden|okay)(?!\p{L})/u,
    eitherWay: /(?<!\p{L})(?:ja oder nein|oder (?:nicht|nein))(?!\p{L})|(?<!\p{L})oder\?$/u,
    code: /(?<!\p{L})(?:ziffern?|stellen|(?:konto|karten|telefon|handy|policen|schaden|schadens|kunden|mitglieds|referenz|vertrags|versicherungs|vorgangs|bestell)nummer|iban|pin|postleitzahl|(?:sicherheits|bestätigungs|zugangs)?code)(?!\p{L})/u,
    quantity: /(?<!\p{L})(?:wie ?(?:viele?[rnms]?|alt|lange|oft|groß)|um wie ?viel uhr|welche uhrzeit)(?!\p{L})/u,
    anyNumber: /(?<!\p{L})(?:nummer|zahl)(?!\p{L})/u,
    request: /(?<!\p{L})(?:bitte|antworten|nennen|sagen|geben|lesen|brauche|benötige|eingeben|tippen)(?!\p{L})/u,
    or: "oder",
    digitCount: /(?<!\p{L})(\d{1,2}|\p{L}+?)(?:[- ]?stellig\p{L}*|[- ](?:ziffern?|stellen))/u,
  },
  numbers,
  values: {
    money: moneyWords({
      locale: "de-DE",
      usual: "EUR",
      names: {
        EUR: { unit: ["Euro", "Euro"], cent: ["Cent", "Cent"] },
        USD: { unit: ["Dollar", "Dollar"], cent: ["Cent", "Cent"] },
        CHF: { unit: ["Franken", "Franken"], cent: ["Rappen", "Rappen"] },
      },
      count: (value, name) => `${numbers.toWords(value).replace(/eins$/, "ein")} ${name}`,
      and: "und",
      minus: "minus",
    }),
    digits: digitWords(numbers.toWords),
    date: dateWords("de-DE"),
  },
  machineWords:
    /(?<!\p{L})(?:anrufbeantworter|mailbox|sprachbox|voicemail|nach (?:dem|einem) (?:signal|piep|ton|signalton|piepton)\p{L}*|hinterlassen sie|(?<!(?:(?:möchten|wollen) sie|um) (?:ihm |ihr |ihnen )?)eine nachricht (?:zu )?hinterlassen|(?:ich bin|wir sind|teilnehmer\p{L}*|anschluss|rufnummer|gesprächspartner) (?:[\p{L}]+ ){0,5}nicht (?:\p{L}+ )?(?:erreichbar|verfügbar|da|zu hause)(?!\p{L}))/iu,
  screeningWords:
    /(?<!\p{L})(?:namen und (?:den |ihren |deinen )?(?:grund|anlass)|(?:grund|anlass) (?:(?:für )?(?:den|ihren|deinen|ihres|deines|des) )anrufs?|anruf-?assistent\p{L}*|anruffilter\p{L}*)(?!\p{L})/iu,
  menuWords:
    /(?<!\p{L})(?:drücken|wählen|tippen|sagen|betätigen)(?: oder sagen)? sie (?:bitte )?(?:die |eine )?(?:(?:taste|ziffer|nummer) )?(?:[0-9*#]|null|eins?|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|stern|raute)(?!\p{L})|(?<!\p{L})(?:folgenden (?:optionen|möglichkeiten)|hauptmenü)(?!\p{L})/iu,
  notInServiceWords:
    /(?<!\p{L})(?:kein anschluss unter dieser nummer|(?:ruf)?nummer[^.?!]{0,60}(?<!\p{L})(?:nicht (?:vergeben|bekannt|gültig|geschaltet|belegt|mehr (?:gültig|vergeben|in betrieb))|ungültig|existiert nicht|geändert|außer betrieb))(?!\p{L})/iu,
  questionWords:
    /(?<!\p{L})(?:wie|was|womit|wobei|wer|wen|wem|wann|wo|warum|worum|welche\p{L}*) (?:kann|können|darf|dürfen|ist|sind|spricht|möchten|wünschen|soll|geht|haben)(?!\p{L})|(?<!\p{L})(?:kann|darf|können|dürfen) (?:ich|wir) (?:\p{L}+ ){0,3}(?:helfen|tun|fragen)(?!\p{L})/iu,
  abbreviations: {
    always: new Set(
      words("z.b bzw ca dr prof hr fr str nr st u.a d.h inkl exkl ggf evtl vgl dipl ing max min tel abs"),
    ),
    beforeSmallLetters: new Set(words("usw etc")),
    hasOrdinals: true,
  },
};
