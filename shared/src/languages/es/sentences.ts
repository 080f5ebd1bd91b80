import type { Sentences } from "../sentences.ts";

export const sentences: Sentences = {
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
