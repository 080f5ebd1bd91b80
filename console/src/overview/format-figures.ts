/** Names and figures of the overview as people read them. */

/** In the order in which they come; other marks are parts of these. */
const stages: Readonly<Record<string, string>> = {
  recognised_ms: "the words were recognised",
  end_of_turn_ms: "the turn had ended",
  model_first_token_ms: "the model’s first token",
  first_clause_ms: "the first clause",
  synthesis_first_audio_ms: "the first sound was made",
  first_audio_ms: "the agent was heard",
};

/** Undefined for a mark that is no moment of an answer. */
export function stageInWords(stage: string): string | undefined {
  return stages[stage];
}

export function stageOrder(stage: string): number {
  return Object.keys(stages).indexOf(stage);
}

export function shareInWords(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** "Not known" is a value of its own, and no zero. */
export function figureOrNone(figure: number | null): string {
  return figure === null ? "–" : String(figure);
}
