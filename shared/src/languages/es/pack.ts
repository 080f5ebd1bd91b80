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
      "sí|si|no|vale|claro|claro que sí|por supuesto|correcto|exacto|incorrecto|ok|okay|bueno|de acuerdo|pare|espere|hola|buenos días|buenas tardes|buenas noches|diga|dígame|" +
        "gracias|muchas gracias|adiós|hasta luego|sí por favor|sí gracias|no gracias|eso es|así es|es correcto|está bien|eso es todo|nada más|no nada más|perfecto|muy bien|genial|cómo|perdón|quizás|tal vez|nada|cancelar|ayuda|repita|" +
        "la verdad es que no|no mucho|no sé|no lo sé|ni idea",
    ),
  ),
  hesitations: new Set(words("eh ehm em mmm hm hmm este pues entonces digamos osea")),
  fillers: new Set(),
  joints: new Set(
    words(
      "y e o u pero porque si que el la los las un una unos unas mi mis su sus tu tus nuestro nuestra esta a al de del para por con sin en desde hasta cada como cuando " +
        "yo me se le lo quiero necesito puedo tengo es son está",
    ),
  ),
  carriers: new Set(
    words(
      "es son la el las los una mi mis por favor eh sí si claro vale yo creo que quiero quisiera querría de esa ese",
    ),
  ),
  letters: new Set(["a", "y", "o", "e", "u"]),
  pronouns: { words: new Set(["uno", "una"]), numeralsAfter: new Set(["es", "el"]) }, // "quiero uno"
};

const turnPhrases: TurnPhrases = {
  hesitations: expressions("eh|ehm|em|este|mmm|hm|hmm|pues|a ver"),
  backchannels: expressions(
    "mhm|mm|mmm|hm|hmm|ajá|aja|ah|oh|ah sí|ah vale|ah ya|ya|ya veo|sí|si|vale|ok|okay|bien|muy bien|bueno|claro|claro que sí|perfecto|genial|estupendo|" +
      "de acuerdo|exacto|exactamente|eso|eso es|entiendo|entendido|comprendo|correcto|eh|ehm|listo",
  ),
  commands: expressions(
    "para|pare|paré|alto|stop|espera|espere|espere un momento|un momento|un momento por favor|un momentito|un segundo|un segundito|no|no no|pausa|silencio|cállese|perdón|perdone|disculpe|oiga|" +
      "más despacio|cómo|cómo dice|repita|repita por favor|otra vez|deténgase",
  ),
  greetings: expressions(
    "hola|buenas|muy buenas|hola buenas|buenos días|buenas tardes|buenas noches|hola buenos días|hola buenas tardes",
  ),
  answersAlone: expressions(
    "sí|si|no|vale|claro|claro que sí|por supuesto|correcto|exacto|de acuerdo|ok|okay|bueno|sí por favor|sí gracias|no gracias|eso es",
  ),
  everyday: expressions(
    "mhm|vale|sí|claro|ya veo|entiendo|muy bien|perfecto|de acuerdo|ajá|pare|espere|perdone|disculpe|un momento|un segundo",
  ),
};

const sentences: Sentences = {
  reprompt: ["¿Sigue usted ahí?", "No he oído nada. ¿En qué puedo ayudarle?"],
  apology: [
    "Disculpe, ha ocurrido un error por mi parte. ¿Podría repetirlo, por favor?",
    "Lo siento, tengo un problema técnico. Inténtelo de nuevo, por favor.",
  ],
  regret: [
    "Lo siento, no he podido contactar con nadie. ¿Puedo hacer algo más por usted?",
    "Lo siento, nadie ha contestado. ¿Puedo ayudarle de otra manera?",
  ],
  "regret-hold": ["Disculpe, no he podido ponerle en espera. ¿Qué puedo hacer por usted?"],
  "regret-keys": ["Disculpe, no he podido marcar las teclas. ¿Puedo hacer algo más por usted?"],
  resumption: ["Gracias por esperar. ¿En qué puedo ayudarle ahora?"],
  patience: [
    "Sigo pasándole la llamada. Un momento, por favor.",
    "Todavía estoy intentando pasarle la llamada. Gracias por su paciencia.",
  ],
  farewell: ["Adiós, que tenga un buen día."],
  closing: ["Esta llamada ha llegado a su duración máxima. Gracias por su tiempo. Adiós."],
  fillers: ["Un momento, por favor.", "Sigo en ello, enseguida termino."],
  opener: "Un momento, por favor.",
  cutByLength: "Eso no es todo. ¿Desea que continúe?",
  cutByFilter: "Lo siento, no puedo decirle más sobre eso. ¿En qué más puedo ayudarle?",
  refusedByFilter: "Lo siento, no puedo hablar de eso. ¿En qué más puedo ayudarle?",
  nothingToAdd: "De acuerdo. ¿En qué más puedo ayudarle?",
  handoffRefused: "Ahora mismo no puedo pasarle con ese departamento. ¿En qué más puedo ayudarle?",
  notVerified: "Antes de hacer eso tengo que verificar su identidad.",
  outcomeUnknown:
    "Lo siento, no sé si la operación se ha completado. Le ruego que pida que lo comprueben antes de volver a intentarlo.",
  done: "Ya está hecho. ¿Puedo ayudarle en algo más?",
  askAgain: "Gracias por esperar. ¿Me dice otra vez qué necesita?",
  toolIsSlow: "Un momentito, por favor.",
  notKnown: "Lo siento, eso no lo sé. ¿En qué más le puedo ayudar?",
  linesTaken:
    "Lo siento, en este momento todas nuestras líneas están ocupadas. Vuelva a llamar dentro de unos minutos, por favor. Adiós.",
  lineFault: "Lo siento, hay una avería en esta línea. Vuelva a llamar, por favor. Adiós.",
  introduction: {
    greeting: "Buenos días.",
    caller: "Tengo una llamada para usted. El motivo es el siguiente.",
    connecting: "Le paso la llamada.",
    areYouThere: "¿Hola? Por favor, diga algo si puede atender la llamada.",
  },
  voicemail:
    "Hola{% if context.caller_name %}, {{ context.caller_name }}{% endif %}, {% if institution_name %}le llamamos de {{ institution_name }}{% else %}hemos intentado hablar con usted{% endif %}{% if context.purpose %}. El motivo de la llamada es el siguiente: {{ context.purpose }}{% endif %}. Por favor, devuélvanos la llamada. Adiós.",
};

const belowThirty = words(
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve " +
    "veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
);
const tens = words("treinta cuarenta cincuenta sesenta setenta ochenta noventa");
const hundreds = words(
  "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
);

function below1000(value: number): string {
  if (value === 100) return "cien";
  if (value > 100) {
    const head = hundreds[Math.trunc(value / 100) - 1] ?? "";
    return value % 100 === 0 ? head : `${head} ${below1000(value % 100)}`;
  }
  if (value < 30) return belowThirty[value] ?? "";
  const ten = tens[Math.trunc(value / 10) - 3] ?? "";
  return value % 10 === 0 ? ten : `${ten} y ${belowThirty[value % 10]}`;
}

/** "uno" is shortened before the thing that is counted: "un euro", "veintiún mil". */
function beforeNoun(counted: string): string {
  return counted.replace(/veintiuno$/, "veintiún").replace(/uno$/, "un");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `menos ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000, name: (count, counted) => (count === 1 ? "un millón" : `${beforeNoun(counted)} millones`) },
    { size: 1000, name: (count, counted) => (count === 1 ? "mil" : `${beforeNoun(counted)} mil`) },
  ]);
}

function spellings(value: number): readonly string[] {
  const usual = below1000(value);
  const forms = [usual, beforeNoun(usual)];
  if (value > 1) forms.push(usual.replace(/uno$/, "una"), usual.replace(/cientos/, "cientas").replace(/uno$/, "una"));
  if (value === 100) forms.push("ciento");
  // On its own, the word is an article rather than a number.
  return [...new Set(forms)].filter((form) => form !== "un");
}

/** Spanish numbers: "mil doscientos treinta y cuatro". */
const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "mil",
    beforeThousand: { un: 1 },
    isThousandAlone: true,
    repetitions: { doble: 2, triple: 3 },
  }),
};

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
  turnPhrases,
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
    date: dateFormat("es-ES"),
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
