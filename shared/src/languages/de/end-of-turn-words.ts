import type { EndOfTurnWords } from "../end-of-turn-words.ts";
import { expressions, words } from "../turn-words.ts";

export const endOfTurn: EndOfTurnWords = {
  shortAnswers: new Set(
    expressions(
      "ja|nein|jo|jep|nee|ne|klar|okay|ok|gut|genau|richtig|falsch|stimmt|doch|gerne|gern|stopp|stop|warten sie|hallo|guten tag|danke|danke schön|vielen dank|bitte|" +
        "tschüss|tschüs|ciao|auf wiederhören|auf wiedersehen|ja bitte|ja gerne|ja genau|nein danke|nein das war's|das war's|das war alles|das ist alles|das ist richtig|das stimmt|" +
        "das ist falsch|abbrechen|hilfe|wiederholen|natürlich|selbstverständlich|perfekt|super|prima|in ordnung|alles klar|wie bitte|vielleicht|passt|das passt|das ist gut|gar nichts|nichts|sonst nichts|auf keinen fall|eigentlich nicht|weiß ich nicht|das weiß ich nicht|ich weiß es nicht|keine ahnung",
    ),
  ),
  hesitations: new Set(words("äh ähm öh öhm ehm hm hmm tja also naja quasi sozusagen")),
  fillers: new Set(),
  joints: new Set(
    words(
      "und oder aber weil wenn dass ob denn sondern der die das dem den des ein eine einen einem einer mein meine meinen meinem meiner ihr ihre ihren unser unsere kein keine keinen " +
        "zu zum zur von vom für mit ohne nach bei beim aus im ins am als wegen jede jeden jeder ich wir möchte will kann muss habe bin ist",
    ),
  ),
  carriers: new Set(
    words(
      "es ist das sind ist's mein meine meinem der die das den dem ein eine bitte ähm äh ja klar okay ich glaube möchte hätte gern gerne will nehme vom auf",
    ),
  ),
  letters: new Set(),
  pronouns: { words: new Set(), numeralsAfter: new Set() },
};
