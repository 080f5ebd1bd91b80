import { expressions } from "../turn-words.ts";
import type { TurnWords } from "../turn-words.ts";

export const turnWords: TurnWords = {
  hesitations: expressions("euh|heu|hum|hm|hmm|ben|bah|beh"),
  backchannels: expressions(
    "mhm|mm|mmm|hm|hmm|hum|euh|heu|ah|oh|ah bon|ah oui|ah d'accord|oui|ouais|ok|okay|d'accord|bien|très bien|bien sûr|c'est bien|" +
      "parfait|super|génial|exactement|exact|tout à fait|voilà|c'est ça|je vois|je comprends|compris|entendu|bon|ça marche",
  ),
  commands: expressions(
    "stop|arrêtez|arrête|attendez|attends|attendez un instant|attendez une seconde|une seconde|une minute|un instant|un moment|un petit moment|non|non non|pause|silence|taisez-vous|pardon|excusez-moi|" +
      "excuse-moi|s'il vous plaît|moins vite|comment|répétez|vous pouvez répéter|pouvez-vous répéter|encore une fois",
  ),
  greetings: expressions("bonjour|bonsoir|salut|allô|allo|bonjour madame|bonjour monsieur"),
  answersAlone: expressions(
    "oui|non|ouais|nan|si|d'accord|ok|okay|bien sûr|exact|exactement|c'est ça|voilà|tout à fait|oui merci|non merci|oui s'il vous plaît|volontiers|avec plaisir",
  ),
  everyday: expressions(
    "mhm|ok|oui|ouais|d'accord|je vois|très bien|bien sûr|super|ah d'accord|stop|attendez|pardon|excusez-moi|un instant|une seconde",
  ),
};
