import { describe, expect, it } from "vitest";
import { packOf } from "./packs.ts";

const cases = {
  en: {
    machines: ["Please leave a message after the tone.", "You can leave your name and number."],
    assistants: [
      "Hi. If you record your name and reason for calling, I'll see if this person is available.",
      "Hi, the person you're calling is using a screening service and will get a copy of this conversation.",
    ],
    people: ["He's out. Would you like to leave a message?", "She's not available.", "What is it about?"],
  },
  de: {
    machines: [
      "Bitte hinterlassen Sie eine Nachricht nach dem Signalton.",
      "Ich bin im Moment leider nicht erreichbar.",
      "Der Teilnehmer ist zurzeit nicht erreichbar.",
    ],
    assistants: ["Nennen Sie Ihren Namen und den Grund für Ihren Anruf.", "Was ist der Grund Ihres Anrufs?"],
    people: [
      "Meine Frau ist im Moment nicht da.",
      "Er ist gerade nicht erreichbar.",
      "Möchten Sie ihr eine Nachricht hinterlassen?",
    ],
  },
  fr: {
    machines: [
      "Laissez un message après le bip.",
      "Je ne suis pas disponible pour le moment.",
      "Votre correspondant n'est pas disponible.",
    ],
    assistants: ["Indiquez votre nom et le motif de votre appel."],
    people: ["Il n'est pas disponible.", "Voulez-vous laisser un message ?"],
  },
  es: {
    machines: [
      "Deje su mensaje después de la señal.",
      "En este momento no puedo atenderle.",
      "El número marcado no está disponible.",
    ],
    assistants: ["Diga su nombre y el motivo de su llamada."],
    people: ["Mi marido no está disponible.", "¿Quiere dejar un mensaje?"],
  },
} as const;

describe.each(Object.entries(cases))("who picks up in %s", (code, { machines, assistants, people }) => {
  const { machineWords, screeningWords } = packOf(code);

  it.each([...machines])("%j is a machine's [VM-1b]", (text) => {
    expect([machineWords.test(text), screeningWords.test(text)]).toEqual([true, false]);
  });

  it.each([...assistants])("%j is an assistant's that puts callers through [VM-5]", (text) => {
    expect([machineWords.test(text), screeningWords.test(text)]).toEqual([false, true]);
  });

  it.each([...people])("%j is a person's [VM-1b]", (text) => {
    expect([machineWords.test(text), screeningWords.test(text)]).toEqual([false, false]);
  });
});
