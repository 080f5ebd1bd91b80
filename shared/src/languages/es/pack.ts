import { dateWords } from "../date-words.ts";
import { digitWords } from "../digit-words.ts";
import type { LanguagePack } from "../language-pack.ts";
import { moneyWords } from "../money-words.ts";
import { words } from "../turn-words.ts";
import { endOfTurn } from "./end-of-turn-words.ts";
import { beforeNoun, numbers } from "./numbers.ts";
import { sentences } from "./sentences.ts";
import { turnWords } from "./turn-words.ts";

export const spanish: LanguagePack = {
  code: "es",
  locale: "es-ES",
  voices: [
    { locale: "es-ES", voice: "es-ES-XimenaMultilingualNeural" },
    { locale: "es-MX", voice: "es-MX-DaliaMultilingualNeural" },
    { locale: "es-US", voice: "es-US-PalomaNeural" },
    { locale: "es-AR", voice: "es-AR-ElenaNeural" },
    { locale: "es-CO", voice: "es-CO-SalomeNeural" },
  ],
  sentences,
  turnWords,
  endOfTurn,
  questions: {
    yesOrNo:
      /^¿?(?:y |entonces |pues |o )*(?:es|son|está|están|era|tiene|tienen|quiere|quieren|desea|desean|puede|podría|prefiere|necesita|le (?:parece|gustaría|puedo|importa)|puedo|debo|hay|ha|han|podemos|confirma|algo más|alguna otra|correcto|verdad|(?<=¿)no|de acuerdo|listo)(?!\p{L})/u,
    eitherWay: /(?<!\p{L})(?:sí o no|o no)(?!\p{L})/u,
    code: /(?<!\p{L})(?:dígitos?|cifras?|número de (?:su )?(?:cuenta|tarjeta|teléfono|póliza|siniestro|seguridad|referencia|cliente|socio|pedido|expediente)|iban|pin|código(?: (?:postal|de seguridad|de verificación|de acceso))?)(?!\p{L})/u,
    quantity: /(?<!\p{L})(?:cuánt[oa]s?|qué edad|qué hora)(?!\p{L})/u,
    anyNumber: /(?<!\p{L})número(?!\p{L})/u,
    request:
      /(?<!\p{L})(?:por favor|diga|responda|conteste|dígame|indique|indíqueme|lea|léame|deme|facilíteme|introduzca|necesito|marque)(?!\p{L})/u,
    or: "o",
    digitCount: /(?<!\p{L})(\d{1,2}|\p{L}+) (?:últimos |últimas |primeros |primeras )?(?:dígitos?|cifras?)(?!\p{L})/u,
  },
  numbers,
  values: {
    money: moneyWords({
      locale: "es-ES",
      usual: "EUR",
      names: {
        EUR: { unit: ["euro", "euros"], cent: ["céntimo", "céntimos"] },
        USD: { unit: ["dólar", "dólares"], cent: ["centavo", "centavos"] },
        MXN: { unit: ["peso", "pesos"], cent: ["centavo", "centavos"] },
        CHF: { unit: ["franco", "francos"], cent: ["céntimo", "céntimos"] },
      },
      count(value, name) {
        const isRoundMillions = value >= 1_000_000 && value % 1_000_000 === 0;
        return `${beforeNoun(numbers.toWords(value))} ${isRoundMillions ? "de " : ""}${name}`;
      },
      and: "con",
      minus: "menos",
    }),
    digits: digitWords(numbers.toWords),
    date: dateWords("es-ES"),
  },
  machineWords:
    /(?<!\p{L})(?:contestador|buzón de voz|buzón|después de (?:la señal|oír la señal|el tono)|tras la señal|deje (?:su|un) mensaje|(?<!(?:quiere|desea|quisiera|prefiere|gustaría|para) )dejar(?:le)? (?:su|un) mensaje|(?:número|teléfono|abonado|usuario|persona a la que)(?: \p{L}+){0,5} no (?:está|se encuentra) disponible|no estoy disponible|no (?:podemos|puedo) (?:atenderle|atender su llamada|contestar))/iu,
  screeningWords:
    /(?<!\p{L})(?:nombre y (?:el |la )?(?:motivo|razón)|(?:motivo|razón) de (?:su|tu|la) llamada|filtr\p{L}+ (?:de )?llamadas|asistente de llamadas)(?!\p{L})/iu,
  menuWords:
    /(?<!\p{L})(?:pulse|marque|presione|oprima|teclee|diga)(?: o diga)? (?:el |la )?(?:(?:número|tecla|opción) )?(?:[0-9*#]|cero|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|asterisco|almohadilla|numeral)(?!\p{L})|(?<!\p{L})(?:siguientes opciones|menú principal)(?!\p{L})/iu,
  notInServiceWords:
    /(?<!\p{L})(?:número|línea)[^.?!]{0,60}(?<!\p{L})(?:no (?:existe|está (?:en servicio|asignad[oa]|operativ[oa])|es (?:válido|correcto)|corresponde|se encuentra en servicio)|fuera de servicio|ha (?:sido )?cambiado|dad[oa] de baja|inexistente)(?!\p{L})/iu,
  questionWords:
    /(?<!\p{L})(?:cómo|qué|quién|cuándo|dónde|cuál|por qué) (?:le |se |te )?(?:puedo|podemos|puede|es|son|está|desea|llama|habla|quiere|necesita)(?!\p{L})|(?<!\p{L})(?:le )?(?:puedo|podemos) (?:ayudar|atender)\p{L}*/iu,
  abbreviations: {
    always: new Set(words("sr sra srta dr dra d ud uds avda c pág núm tel p.ej ej prof st aprox máx mín")),
    beforeSmallLetters: new Set(words("etc ee.uu")),
    hasOrdinals: false,
  },
};
