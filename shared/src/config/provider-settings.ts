/** Providers of one's own. */
import { text } from "./kinds.ts";
import { optional } from "./setting.ts";

const about = (what: string, define: string): string =>
  `Module (TypeScript or JavaScript) that exports ${what} of your own, made with \`${define}\` of \`@voice/provider-kit\`; it is used instead of any other.`;

export const providerSettings = {
  recogniserModule: optional("RECOGNISER_MODULE", text, about("a speech recogniser", "defineRecogniser")),
  synthesiserModule: optional("SYNTHESISER_MODULE", text, about("a speech synthesiser", "defineSynthesiser")),
  languageModelModule: optional("LANGUAGE_MODEL_MODULE", text, about("a language model", "defineLanguageModel")),
  realtimeModelModule: optional("REALTIME_MODEL_MODULE", text, about("a realtime model", "defineRealtimeModel")),
};
