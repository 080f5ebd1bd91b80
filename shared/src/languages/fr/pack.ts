import { dateWords } from "../date-words.ts";
import { digitWords } from "../digit-words.ts";
import type { LanguagePack } from "../language-pack.ts";
import { moneyWords } from "../money-words.ts";
import { words } from "../turn-words.ts";
import { endOfTurn } from "./end-of-turn-words.ts";
import { numbers } from "./numbers.ts";
import { sentences } from "./sentences.ts";
import { turnWords } from "./turn-words.ts";

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
  turnWords,
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
    date: dateWords("fr-FR", (written) => written.replace(/^1 /, "1er ")),
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
