import { expressions } from "../turn-words.ts";
import type { TurnWords } from "../turn-words.ts";

export const turnWords: TurnWords = {
  hesitations: expressions("äh|ähm|öh|öhm|hm|hmm|tja|ehm"),
  backchannels: expressions(
    "mhm|mh|mm|mmm|hm|hmm|äh|ähm|öhm|ehm|aha|ah|oh|ach|achso|ach so|ah ja|ah okay|ach ja|okay|ok|ja|jaja|jo|jawohl|jep|genau|" +
      "klar|gut|sehr gut|super|prima|perfekt|wunderbar|interessant|toll|schön|stimmt|richtig|verstehe|ich verstehe|verstanden|alles klar|in ordnung|na gut|sicher|natürlich",
  ),
  commands: expressions(
    "stopp|stop|halt|warte|warten sie|warten sie bitte|warten sie mal|moment|moment mal|moment bitte|einen moment|einen moment bitte|ein moment|augenblick|einen augenblick|" +
      "nein|nein nein|nee|ne|pause|ruhe|leise|entschuldigung|entschuldigen sie|verzeihung|sekunde|eine sekunde|hören sie auf|aufhören|nicht so schnell|langsam|wie bitte|bitte wiederholen|noch einmal|nochmal",
  ),
  greetings: expressions("hallo|hi|hey|guten tag|guten morgen|guten abend|grüß gott|servus|moin|tag"),
  answersAlone: expressions(
    "ja|nein|jo|jep|nee|ne|klar|okay|ok|gut|gerne|gern|richtig|genau|stimmt|sicher|natürlich|ja bitte|ja gerne|nein danke|nein danke schön|doch",
  ),
  everyday: expressions(
    "mhm|okay|ja|genau|verstehe|alles klar|gut|klar|super|ach so|stopp|warten sie|moment|entschuldigung|einen moment|wie bitte",
  ),
};
