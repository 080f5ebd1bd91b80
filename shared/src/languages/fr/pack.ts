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
      "oui|oui bien sûr|non|ouais|nan|si|d'accord|ok|okay|bien sûr|exact|exactement|c'est ça|c'est exact|c'est bien ça|c'est correct|c'est faux|voilà|tout à fait|stop|attendez|allô|bonjour|bonsoir|" +
        "merci|merci beaucoup|merci bien|au revoir|bonne journée|oui merci|non merci|oui s'il vous plaît|c'est tout|ce sera tout|non c'est tout|parfait|très bien|super|comment|pardon|peut-être|rien|rien d'autre|annuler|annulez|aide|répétez|évidemment|" +
        "pas vraiment|je ne sais pas|je sais pas|aucune idée|volontiers",
    ),
  ),
  hesitations: new Set(words("euh heu hum hm hmm ben bah alors donc enfin genre")),
  fillers: new Set(),
  joints: new Set(
    words(
      "et ou mais parce que si le la les l' un une des du de d' au aux mon ma mes votre vos son sa ses notre nos leur leurs ce cette ces à pour avec sans dans sur chez par en chaque je j' nous " +
        "qui quand comme car puis est suis ai voudrais veux peux dois",
    ),
  ),
  carriers: new Set(
    words(
      "c'est ce sont le la les l' un une mon ma mes s'il vous plaît te euh oui bien sûr d'accord je pense crois voudrais veux prends celui celle",
    ),
  ),
  letters: new Set(["a", "y", "à"]),
  pronouns: { words: new Set(["un"]), numeralsAfter: new Set(["est", "c'est"]) }, // "j'en veux un"
};

const turnPhrases: TurnPhrases = {
  hesitations: expressions("euh|heu|hum|hm|hmm|ben|bah|beh"),
  backchannels: expressions(
    "mhm|mm|mmm|hm|hmm|hum|euh|heu|ah|oh|ah bon|ah oui|ah d'accord|oui|ouais|ok|okay|d'accord|bien|très bien|bien sûr|c'est bien|" +
      "parfait|super|génial|exactement|exact|tout à fait|voilà|c'est ça|je vois|je comprends|compris|entendu|bon|ça marche",
  ),
  commands: expressions(
    "stop|arrêtez|arrête|attendez|attends|attendez un instant|attendez une seconde|une seconde|une minute|un instant|un moment|un petit moment|non|non non|pause|silence|taisez-vous|pardon|excusez-moi|" +
      "excuse-moi|s'il vous plaît|moins vite|comment|répétez|vous pouvez répéter|pouvez-vous répéter|encore une fois",
  ),
  greetings: expressions("bonjour|bonsoir|salut|allô|allo|bonjour madame|bonjour monsieur"),
  answersAlone: expressions(
    "oui|non|ouais|nan|si|d'accord|ok|okay|bien sûr|exact|exactement|c'est ça|voilà|tout à fait|oui merci|non merci|oui s'il vous plaît|volontiers|avec plaisir",
  ),
  everyday: expressions(
    "mhm|ok|oui|ouais|d'accord|je vois|très bien|bien sûr|super|ah d'accord|stop|attendez|pardon|excusez-moi|un instant|une seconde",
  ),
};

const sentences: Sentences = {
  reprompt: ["Vous êtes toujours en ligne ?", "Je n'ai rien entendu. Comment puis-je vous aider ?"],
  apology: [
    "Excusez-moi, un problème est survenu de mon côté. Pourriez-vous répéter, s'il vous plaît ?",
    "Je regrette, j'ai un souci technique. Veuillez réessayer.",
  ],
  regret: [
    "Je regrette, je n'ai pu joindre personne. Puis-je faire autre chose pour vous ?",
    "Je regrette, personne n'a répondu. Puis-je vous aider autrement ?",
  ],
  "regret-hold": ["Excusez-moi, je n'ai pas pu vous mettre en attente. Que puis-je faire pour vous ?"],
  "regret-keys": ["Excusez-moi, je n'ai pas réussi à composer les touches. Puis-je faire autre chose pour vous ?"],
  resumption: ["Merci d'avoir patienté. Comment puis-je vous aider maintenant ?"],
  patience: [
    "Je suis en train de vous mettre en relation. Un instant, s'il vous plaît.",
    "J'essaie toujours de vous mettre en relation. Merci de votre patience.",
  ],
  farewell: ["Au revoir."],
  closing: ["La durée maximale de cet appel est atteinte. Merci de votre appel. Au revoir."],
  fillers: ["Un instant, s'il vous plaît.", "Je m'en occupe, encore un petit moment."],
  opener: "Un instant, s'il vous plaît.",
  cutByLength: "Ce n'est pas tout. Voulez-vous que je continue ?",
  cutByFilter: "Je regrette, je ne peux pas en dire plus. Que puis-je faire d'autre pour vous ?",
  refusedByFilter: "Je regrette, je ne peux pas parler de cela. Que puis-je faire d'autre pour vous ?",
  nothingToAdd: "Très bien. Que puis-je faire d'autre pour vous ?",
  handoffRefused:
    "Je ne peux pas vous mettre en relation avec ce service pour le moment. Que puis-je faire d'autre pour vous ?",
  notVerified: "Je dois vérifier votre identité avant de pouvoir faire cela.",
  outcomeUnknown:
    "Excusez-moi, je ne sais pas si l'opération a abouti. Merci de la faire vérifier avant que nous ne réessayions.",
  done: "C'est fait. Puis-je faire autre chose pour vous ?",
  askAgain: "Merci d'avoir patienté. Pouvez-vous me redire ce dont vous avez besoin ?",
  toolIsSlow: "Un petit instant, s'il vous plaît.",
  notKnown: "Je suis désolée, je ne le sais pas. Que puis-je faire d'autre pour vous ?",
  linesTaken:
    "Je regrette, toutes nos lignes sont occupées pour le moment. Veuillez rappeler dans quelques minutes. Au revoir.",
  lineFault: "Je regrette, la ligne est défectueuse. Veuillez rappeler. Au revoir.",
  introduction: {
    greeting: "Bonjour.",
    caller: "J'ai quelqu'un en ligne pour vous. Voici le motif de l'appel.",
    connecting: "Je vous mets en relation.",
    areYouThere: "Allô ? Dites quelque chose si vous pouvez prendre l'appel.",
  },
  voicemail:
    "Bonjour{% if context.caller_name %} {{ context.caller_name }}{% endif %}, {% if institution_name %}ici {{ institution_name }}{% else %}nous avons essayé de vous joindre{% endif %}{% if context.purpose %}. Nous vous appelons au sujet suivant : {{ context.purpose }}{% endif %}. Merci de nous rappeler. Au revoir.",
};

const belowSeventeen = words(
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
);
const tens = words("vingt trente quarante cinquante soixante");

function below100(value: number): string {
  if (value < 17) return belowSeventeen[value] ?? "";
  if (value < 20) return `dix-${belowSeventeen[value - 10]}`;
  if (value === 80) return "quatre-vingts";
  if (value > 80) return `quatre-vingt-${below100(value - 80)}`;
  const ten = Math.min(Math.trunc(value / 10), 6);
  const name = tens[ten - 2] ?? "";
  const rest = value - ten * 10;
  if (rest === 0) return name;
  return rest === 1 || rest === 11 ? `${name} et ${below100(rest)}` : `${name}-${below100(rest)}`;
}

function below1000(value: number): string {
  const hundreds = Math.trunc(value / 100);
  if (hundreds === 0) return below100(value);
  const rest = value % 100;
  const head = hundreds === 1 ? "cent" : `${below100(hundreds)} cent`;
  if (rest === 0) return hundreds === 1 ? head : `${head}s`;
  return `${head} ${below100(rest)}`;
}

/** Before "mille", neither "vingt" nor "cent" takes an s. */
function beforeThousand(value: number): string {
  return below1000(value).replace(/(vingt|cent)s$/, "$1");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `moins ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000_000, name: (count, counted) => `${counted} milliard${count === 1 ? "" : "s"}` },
    { size: 1_000_000, name: (count, counted) => `${counted} million${count === 1 ? "" : "s"}` },
    { size: 1000, name: (count) => (count === 1 ? "mille" : `${beforeThousand(count)} mille`) },
  ]);
}

/** "septante", "huitante" or "octante", "nonante". */
const others: readonly (readonly [number, string])[] = [
  [70, "septante"],
  [80, "huitante"],
  [80, "octante"],
  [90, "nonante"],
];

function spellings(value: number): readonly string[] {
  const usual = below1000(value);
  const hundreds = value < 100 ? "" : `${below1000(value - (value % 100)).replace(/s$/, "")} `;
  const last = value % 100;
  const regional = others
    .filter(([ten]) => last >= ten && last < ten + 10)
    .map(([ten, name]) => {
      const unit = last - ten;
      const ending = unit === 0 ? "" : ` ${unit === 1 ? "et " : ""}${below100(unit)}`;
      return `${hundreds}${name}${ending}`;
    });
  const forms = [usual, beforeThousand(value), ...regional];
  return [...new Set(forms.map((form) => form.replaceAll("-", " ")))];
}

/** French numbers as in France; the forms of Belgium and Switzerland ("septante", "nonante") are understood as well. */
const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "mille",
    isThousandAlone: true,
    repetitions: { double: 2, triple: 3 },
  }),
};

export const french: LanguagePack = {
  code: "fr",
  locale: "fr-FR",
  voices: [
    { locale: "fr-FR", voice: "fr-FR-VivienneMultilingualNeural" },
    { locale: "fr-CA", voice: "fr-CA-SylvieNeural" },
    { locale: "fr-CH", voice: "fr-CH-ArianeNeural" },
    { locale: "fr-BE", voice: "fr-BE-CharlineNeural" },
  ],
  sentences,
  turnPhrases,
  endOfTurn,
  questions: {
    yesOrNo:
      /^(?:et |alors |donc |ou )*(?:est-ce que|est-ce|êtes-vous|avez-vous|voulez-vous|souhaitez-vous|désirez-vous|pouvez-vous|pourriez-vous|préférez-vous|puis-je|dois-je|puis-je|peut-on|faut-il|y a-t-il|avez vous|voulez vous|souhaitez vous|vous (?:voulez|souhaitez|confirmez|avez|êtes)|c['’]est (?:bien|correct|exact|ça)|n['’]est-ce pas|non|autre chose|d'accord|correct)(?!\p{L})/u,
    eitherWay: /(?<!\p{L})(?:oui ou non|ou (?:non|pas))(?!\p{L})/u,
    code: /(?<!\p{L})(?:chiffres?|numéro (?:de|du|d')\s?(?:compte|carte|téléphone|contrat|police|sinistre|dossier|client|client·e|sécurité|référence|commande|membre|adhérent)|iban|pin|code(?: (?:postal|secret|confidentiel|de sécurité|de vérification|d'accès))?)(?!\p{L})/u,
    quantity: /(?<!\p{L})(?:combien|quel (?:âge|nombre)|quelle heure)(?!\p{L})/u,
    anyNumber: /(?<!\p{L})(?:numéro|nombre)(?!\p{L})/u,
    request:
      /(?<!\p{L})(?:s'il vous plaît|veuillez|répondez|répondre|donnez|donner|dites|dire|indiquez|indiquer|lisez|lire|saisissez|besoin|communiquez)(?!\p{L})/u,
    or: "ou",
    digitCount: /(?<!\p{L})(\d{1,2}|\p{L}+) (?:derniers? |premiers? )?chiffres?(?!\p{L})/u,
  },
  numbers,
  values: {
    money: moneyWords({
      locale: "fr-FR",
      usual: "EUR",
      names: {
        EUR: { unit: ["euro", "euros"], cent: ["centime", "centimes"] },
        USD: { unit: ["dollar", "dollars"], cent: ["cent", "cents"] },
        CHF: { unit: ["franc", "francs"], cent: ["centime", "centimes"] },
      },
      count(value, name) {
        const isRoundMillions = value >= 1_000_000 && value % 1_000_000 === 0;
        const of = /^[aeiou]/.test(name) ? "d'" : "de ";
        return `${numbers.toWords(value)} ${isRoundMillions ? of : ""}${name}`;
      },
      and: "et",
      minus: "moins",
    }),
    digits: digitWords(numbers.toWords),
    date: dateFormat("fr-FR", (written) => written.replace(/^1 /, "1er ")),
  },
  machineWords:
    /(?<!\p{L})(?:répondeur|messagerie(?: vocale)?|boîte vocale|après le (?:bip|signal|signal sonore)|laissez(?:-nous|-moi)? (?:un|votre) message|(?<!(?:(?:voulez|souhaitez|désirez)-vous|pour) (?:lui |nous )?)laisser un message|(?:je ne suis|nous ne sommes|correspondant|personne que vous|numéro) (?:[\p{L}']+ ){0,5}(?:pas|indisponible|actuellement)(?: \p{L}+)?(?: disponible| joignable)|je suis absent)/iu,
  screeningWords:
    /(?<!\p{L})(?:nom et (?:le |la |votre |l')?(?:motif|raison|objet)|(?:motif|raison|objet) de (?:votre|ton|l') ?appel|filtrage (?:d'|des )?appels?)(?!\p{L})/iu,
  menuWords:
    /(?<!\p{L})(?:appuyez(?: sur)?|tapez|faites|composez|dites|pressez)(?: ou dites)? (?:le |la |sur (?:le |la )?)?(?:(?:touche|numéro|chiffre) )?(?:[0-9*#]|zéro|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|étoile|dièse)(?!\p{L})|(?<!\p{L})(?:options suivantes|menu principal)(?!\p{L})/iu,
  notInServiceWords:
    /(?<!\p{L})(?:numéro|ligne)[^.?!]{0,60}(?<!\p{L})(?:(?:pas|plus) (?:attribué|en service|valide|reconnu|utilisé)e?|n['’]existe (?:pas|plus)|hors service|a (?:été )?(?:changé|modifié)|invalide|non attribué)(?!\p{L})/iu,
  questionWords:
    /(?<!\p{L})(?:comment|que|qui|quel\p{L}*|quand|où|pourquoi|en quoi) (?:puis-je|pouvons-nous|est-ce|est|sont|êtes-vous|souhaitez-vous|désirez-vous|voulez-vous)(?!\p{L})|(?<!\p{L})(?:puis-je|pouvons-nous|est-ce que)(?!\p{L})/iu,
  abbreviations: {
    always: new Set(words("m mm mme mlle dr pr me st ste av bd tél no env p.ex c.-à-d max min")),
    beforeSmallLetters: new Set(words("etc")),
    hasOrdinals: false,
  },
};
