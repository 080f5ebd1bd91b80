import type { EndOfTurnWords } from "../end-of-turn-words.ts";
import { expressions, words } from "../turn-words.ts";

export const endOfTurn: EndOfTurnWords = {
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
