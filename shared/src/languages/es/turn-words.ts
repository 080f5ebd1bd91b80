import { expressions } from "../turn-words.ts";
import type { TurnWords } from "../turn-words.ts";

export const turnWords: TurnWords = {
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
