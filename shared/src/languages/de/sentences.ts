import type { Sentences } from "../sentences.ts";

export const sentences: Sentences = {
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
