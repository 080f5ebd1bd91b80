import type { Sentences } from "../sentences.ts";

export const sentences: Sentences = {
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
