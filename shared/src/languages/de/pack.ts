import { dateFormat } from "../date-format.ts";
import { digitWords } from "../digit-words.ts";
import type { LanguagePack } from "../language-pack.ts";
import { moneyWords } from "../money-words.ts";
import { expressions, words } from "../turn-phrases.ts";
import type { TurnPhrases } from "../turn-phrases.ts";
import { countedWords, numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import type { Sentences } from "../sentences.ts";
import type { EndOfTurnWords } from "../end-of-turn-words.ts";

const endOfTurn: EndOfTurnWords = {
  shortAnswers: new Set(
    expressions(
      "ja|nein|jo|jep|nee|ne|klar|okay|ok|gut|genau|richtig|falsch|stimmt|doch|gerne|gern|stopp|stop|warten sie|hallo|guten tag|danke|danke schön|vielen dank|bitte|" +
        "tschüss|tschüs|ciao|auf wiederhören|auf wiedersehen|ja bitte|ja gerne|ja genau|nein danke|nein das war's|das war's|das war alles|das ist alles|das ist richtig|das stimmt|" +
        "das ist falsch|abbrechen|hilfe|wiederholen|natürlich|selbstverständlich|perfekt|super|prima|in ordnung|alles klar|wie bitte|vielleicht|passt|das passt|das ist gut|gar nichts|nichts|sonst nichts|auf keinen fall|eigentlich nicht|weiß ich nicht|das weiß ich nicht|ich weiß es nicht|keine ahnung",
    ),
  ),
  hesitations: new Set(words("äh ähm öh öhm ehm hm hmm tja also naja quasi sozusagen")),
  fillers: new Set(),
  joints: new Set(
    words(
      "und oder aber weil wenn dass ob denn sondern der die das dem den des ein eine einen einem einer mein meine meinen meinem meiner ihr ihre ihren unser unsere kein keine keinen " +
        "zu zum zur von vom für mit ohne nach bei beim aus im ins am als wegen jede jeden jeder ich wir möchte will kann muss habe bin ist",
    ),
  ),
  carriers: new Set(
    words(
      "es ist das sind ist's mein meine meinem der die das den dem ein eine bitte ähm äh ja klar okay ich glaube möchte hätte gern gerne will nehme vom auf",
    ),
  ),
  letters: new Set(),
  pronouns: { words: new Set(), numeralsAfter: new Set() },
};

const turnPhrases: TurnPhrases = {
  hesitations: expressions("äh|ähm|öh|öhm|hm|hmm|tja|ehm"),
  backchannels: expressions(
    "mhm|mh|mm|mmm|hm|hmm|äh|ähm|öhm|ehm|aha|ah|oh|ach|achso|ach so|ah ja|ah okay|ach ja|okay|ok|ja|jaja|jo|jawohl|jep|genau|" +
      "klar|gut|sehr gut|super|prima|perfekt|wunderbar|interessant|toll|schön|stimmt|richtig|verstehe|ich verstehe|verstanden|alles klar|in ordnung|na gut|sicher|natürlich",
  ),
  commands: expressions(
    "stopp|stop|halt|warte|warten sie|warten sie bitte|warten sie mal|moment|moment mal|moment bitte|einen moment|einen moment bitte|ein moment|augenblick|einen augenblick|" +
      "nein|nein nein|nee|ne|pause|ruhe|leise|entschuldigung|entschuldigen sie|verzeihung|sekunde|eine sekunde|hören sie auf|aufhören|nicht so schnell|langsam|wie bitte|bitte wiederholen|noch einmal|nochmal",
  ),
  greetings: expressions("hallo|hi|hey|guten tag|guten morgen|guten abend|grüß gott|servus|moin|tag"),
  answersAlone: expressions(
    "ja|nein|jo|jep|nee|ne|klar|okay|ok|gut|gerne|gern|richtig|genau|stimmt|sicher|natürlich|ja bitte|ja gerne|nein danke|nein danke schön|doch",
  ),
  everyday: expressions(
    "mhm|okay|ja|genau|verstehe|alles klar|gut|klar|super|ach so|stopp|warten sie|moment|entschuldigung|einen moment|wie bitte",
  ),
};

const sentences: Sentences = {
  reprompt: ["Sind Sie noch dran?", "Ich habe leider nichts gehört. Wie kann ich Ihnen helfen?"],
  apology: [
    "Entschuldigung, bei mir ist gerade etwas schiefgegangen. Könnten Sie das bitte noch einmal sagen?",
    "Es tut mir leid, ich habe hier ein Problem. Bitte versuchen Sie es noch einmal.",
  ],
  regret: [
    "Es tut mir leid, ich habe niemanden erreicht. Kann ich sonst etwas für Sie tun?",
    "Es tut mir leid, es hat niemand abgenommen. Kann ich Ihnen anders weiterhelfen?",
  ],
  "regret-hold": ["Entschuldigung, ich konnte Sie nicht in die Warteschleife legen. Was kann ich für Sie tun?"],
  "regret-keys": ["Entschuldigung, das Drücken der Tasten hat nicht geklappt. Kann ich sonst etwas für Sie tun?"],
  resumption: ["Danke, dass Sie gewartet haben. Wie kann ich Ihnen jetzt helfen?"],
  patience: [
    "Ich verbinde Sie gerade. Einen Moment noch, bitte.",
    "Ich versuche weiterhin, Sie zu verbinden. Vielen Dank für Ihre Geduld.",
  ],
  farewell: ["Auf Wiederhören."],
  closing: ["Die Höchstdauer für diesen Anruf ist erreicht. Vielen Dank für das Gespräch. Auf Wiederhören."],
  fillers: ["Einen Moment, bitte.", "Ich bin noch dabei."],
  opener: "Einen Moment, bitte.",
  cutByLength: "Das war noch nicht alles. Soll ich fortfahren?",
  cutByFilter: "Es tut mir leid, mehr kann ich dazu nicht sagen. Was kann ich sonst für Sie tun?",
  refusedByFilter: "Es tut mir leid, darüber kann ich nicht sprechen. Was kann ich sonst für Sie tun?",
  nothingToAdd: "In Ordnung. Was kann ich noch für Sie tun?",
  handoffRefused: "Dorthin kann ich Sie im Moment leider nicht verbinden. Was kann ich sonst für Sie tun?",
  notVerified: "Bevor ich das tun kann, muss ich prüfen, ob Sie es wirklich sind.",
  outcomeUnknown:
    "Es tut mir leid, ich weiß nicht, ob es geklappt hat. Bitte lassen Sie das prüfen, bevor wir es noch einmal versuchen.",
  done: "Das ist erledigt. Kann ich sonst noch etwas für Sie tun?",
  askAgain: "Danke für Ihre Geduld. Was brauchen Sie noch einmal genau?",
  toolIsSlow: "Einen Augenblick, bitte.",
  notKnown: "Das weiß ich leider nicht. Was kann ich sonst für Sie tun?",
  linesTaken:
    "Es tut mir leid, zurzeit sind alle Leitungen belegt. Bitte rufen Sie in ein paar Minuten noch einmal an. Auf Wiederhören.",
  lineFault: "Es tut mir leid, die Leitung ist gestört. Bitte rufen Sie noch einmal an. Auf Wiederhören.",
  introduction: {
    greeting: "Guten Tag.",
    caller: "Ich habe jemanden für Sie am Apparat. Der Grund ist folgender.",
    connecting: "Ich verbinde Sie jetzt.",
    areYouThere: "Hallo? Bitte sagen Sie etwas, wenn Sie das Gespräch annehmen können.",
  },
  voicemail:
    "Guten Tag{% if context.caller_name %}, {{ context.caller_name }}{% endif %}, {% if institution_name %}hier ist {{ institution_name }}{% else %}wir wollten Sie sprechen{% endif %}{% if context.purpose %}. Es geht um Folgendes: {{ context.purpose }}{% endif %}. Bitte rufen Sie uns zurück. Auf Wiederhören.",
};

const belowTwenty = words(
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
);
const tens = words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig");

function below1000(value: number): string {
  const hundreds = Math.trunc(value / 100);
  if (hundreds > 0) return `${inCompound(hundreds)}hundert${value % 100 === 0 ? "" : below1000(value % 100)}`;
  if (value < 20) return belowTwenty[value] ?? "";
  const ten = tens[Math.trunc(value / 10) - 2] ?? "";
  return value % 10 === 0 ? ten : `${inCompound(value % 10)}und${ten}`;
}

/** "ein" within a word, "eins" at its end. */
function inCompound(value: number): string {
  return below1000(value).replace(/eins$/, "ein");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `minus ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000_000, name: (count, counted) => (count === 1 ? "eine Milliarde" : `${counted} Milliarden`) },
    { size: 1_000_000, name: (count, counted) => (count === 1 ? "eine Million" : `${counted} Millionen`) },
    { size: 1000, name: (count) => `${inCompound(count)}tausend` },
  ]).replace("tausend ", "tausend"); // the thousands are part of the word
}

function spellings(value: number): readonly string[] {
  const word = below1000(value);
  const sharp = word.replace("ß", "ss");
  const bare = value >= 100 && value < 200 ? [word.replace(/^ein/, ""), sharp.replace(/^ein/, "")] : [];
  const clear = value % 10 === 2 && value % 100 !== 12 ? [word.replace(/zwei(?!.*zwei)/, "zwo")] : []; // "zwo" cannot be taken for "drei"
  const before = value > 1 ? [word.replace(/eins$/, "ein")] : []; // "einhunderteintausend"; "ein" alone is an article
  return [...new Set([word, sharp, ...bare, ...clear, ...before])];
}

/** German numbers, one word below a million: "zweitausenddreihundertvierundfünfzig". */
const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "tausend",
    beforeThousand: { ein: 1 },
    isThousandAlone: true,
    afterThousand: "und",
    repetitions: { zweimal: 2, dreimal: 3 },
    split: (token) => token.replace(/tausend/, " tausend "),
  }),
};

export const german: LanguagePack = {
  code: "de",
  locale: "de-DE",
  voices: [
    { locale: "de-DE", voice: "de-DE-SeraphinaMultilingualNeural" },
    { locale: "de-AT", voice: "de-AT-IngridNeural" },
    { locale: "de-CH", voice: "de-CH-LeniNeural" },
  ],
  sentences,
  turnPhrases,
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
    date: dateFormat("de-DE"),
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
