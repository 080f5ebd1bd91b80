import type { ToolContext } from "@voice/tool-kit";

/** The results of checking the caller's identity. */
interface IdentitySentences {
  readonly wrongDetails: string;
  readonly tooManyAttempts: string;
  readonly notEnrolled: string;
  readonly noCodeSent: string;
  readonly codeExpired: string;
  readonly tooManyCodes: string;
  readonly wrongCode: string;
}

const english: IdentitySentences = {
  wrongDetails: "Those details do not match our records.",
  tooManyAttempts: "I could not verify you, and for your safety I have to stop here.",
  notEnrolled: "There is no phone or e-mail on file for codes.",
  noCodeSent: "I have not sent you a code yet.",
  codeExpired: "That code has expired.",
  tooManyCodes: "That was one attempt too many.",
  wrongCode: "That is not the code I sent.",
};

/** Keyed by the primary subtag of the language that the agent speaks. */
const sentences: ReadonlyMap<string, IdentitySentences> = new Map([
  [
    "de",
    {
      wrongDetails: "Diese Angaben stimmen nicht mit unseren Daten überein.",
      tooManyAttempts: "Ich konnte nicht bestätigen, dass Sie es sind, und muss zu Ihrer Sicherheit hier aufhören.",
      notEnrolled: "Bei uns ist weder eine Telefonnummer noch eine E-Mail-Adresse für Codes hinterlegt.",
      noCodeSent: "Ich habe Ihnen noch keinen Code geschickt.",
      codeExpired: "Dieser Code ist abgelaufen.",
      tooManyCodes: "Das war leider ein Versuch zu viel.",
      wrongCode: "Das ist nicht der Code, den ich Ihnen geschickt habe.",
    },
  ],
  [
    "es",
    {
      wrongDetails: "Esos datos no coinciden con los de nuestro registro.",
      tooManyAttempts: "No he podido verificar su identidad y, por su seguridad, no puedo continuar.",
      notEnrolled: "No tenemos ningún teléfono ni correo electrónico registrado para enviarle códigos.",
      noCodeSent: "Todavía no le he enviado ningún código.",
      codeExpired: "Ese código ha caducado.",
      tooManyCodes: "Ese ha sido un intento de más.",
      wrongCode: "Ese no es el código que le he enviado.",
    },
  ],
  [
    "fr",
    {
      wrongDetails: "Ces informations ne correspondent pas à celles de votre dossier.",
      tooManyAttempts: "Je n'ai pas pu vérifier votre identité et, pour votre sécurité, je dois m'arrêter là.",
      notEnrolled: "Nous n'avons ni téléphone ni adresse e-mail enregistrés pour vous envoyer un code.",
      noCodeSent: "Je ne vous ai pas encore envoyé de code.",
      codeExpired: "Ce code a expiré.",
      tooManyCodes: "C'était une tentative de trop.",
      wrongCode: "Ce n'est pas le code que je vous ai envoyé.",
    },
  ],
]);

/** Sentences for the caller, in the language that the agent speaks; in English where there are none in that language. */
export function identitySentences({ language }: Pick<ToolContext, "language">): IdentitySentences {
  return sentences.get(language?.split("-")[0] ?? "en") ?? english;
}
