import type { EndOfTurnWords } from "../end-of-turn-words.ts";
import { expressions, words } from "../turn-words.ts";

export const endOfTurn: EndOfTurnWords = {
  shortAnswers: new Set(
    expressions(
      "oui|oui bien sûr|non|ouais|nan|si|d'accord|ok|okay|bien sûr|exact|exactement|c'est ça|c'est exact|c'est bien ça|c'est correct|c'est faux|voilà|tout à fait|stop|attendez|allô|bonjour|bonsoir|" +
        "merci|merci beaucoup|merci bien|au revoir|bonne journée|oui merci|non merci|oui s'il vous plaît|c'est tout|ce sera tout|non c'est tout|parfait|très bien|super|comment|pardon|peut-être|rien|rien d'autre|annuler|annulez|aide|répétez|évidemment|" +
        "pas vraiment|je ne sais pas|je sais pas|aucune idée|volontiers",
    ),
  ),
  hesitations: new Set(words("euh heu hum hm hmm ben bah alors donc enfin genre")),
  fillers: new Set(),
  joints: new Set(
    words(
      "et ou mais parce que si le la les l' un une des du de d' au aux mon ma mes votre vos son sa ses notre nos leur leurs ce cette ces à pour avec sans dans sur chez par en chaque je j' nous " +
        "qui quand comme car puis est suis ai voudrais veux peux dois",
    ),
  ),
  carriers: new Set(
    words(
      "c'est ce sont le la les l' un une mon ma mes s'il vous plaît te euh oui bien sûr d'accord je pense crois voudrais veux prends celui celle",
    ),
  ),
  letters: new Set(["a", "y", "à"]),
  pronouns: { words: new Set(["un"]), numeralsAfter: new Set(["est", "c'est"]) }, // "j'en veux un"
};
