/** Words classified by what must, may or cannot follow them. Closed classes of English; any other word can end a sentence. */

export const wordClasses = {
  determiner: "the a an this these those each every any some no another which what whose",
  possessive: "my your his her its our their",
  preposition:
    "of for with from at into onto by about to under between without during before after since until against through per via as than around near behind towards",
  /** Either a preposition or the end of a phrasal verb: "sign me up". */
  particle: "in on off up out down over back",
  conjunction: "and or but because so if when while that whether although though unless where why how who",
  auxiliary:
    "is are was were am be been being do does did has have had will would can could shall should may might must i'm i've i'd i'll you're we're they're it's that's there's isn't don't doesn't didn't can't won't couldn't wouldn't cannot not",
  subject: "i you he she we they it there",
  object: "me him us them myself yourself",
  transitive:
    "want need check transfer send give tell get make take find change update cancel order block report pay open close add remove move know see hear speak talk help call let put need's wants wanted needed stole lost forgot said tried trying like wondering calling looking asking going try explain show read set start cancel use buy apply book ask",
  adverb:
    "really just also very only even still already always never please actually maybe probably again too now then",
  modifier:
    "new old last next first second other same more most many much few several recent current good bad great big small own total monthly annual whole",
} as const;

export type WordClass = keyof typeof wordClasses | "number" | "open" | "none";

const classOf = new Map<string, WordClass>();
for (const name of Object.keys(wordClasses) as (keyof typeof wordClasses)[])
  for (const word of wordClasses[name].split(" ")) if (!classOf.has(word)) classOf.set(word, name);

export function wordClassOf(word: string | undefined): WordClass {
  if (word === undefined) return "none";
  return classOf.get(word) ?? (/^\d/.test(word) ? "number" : "open");
}
