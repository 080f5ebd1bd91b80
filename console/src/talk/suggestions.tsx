interface SuggestionsProps {
  readonly sentences: readonly string[];
  /** Before the conversation has begun there is room for an explanation. */
  readonly isProminent: boolean;
  /**
   * The number of phrases that the local recogniser knows; `undefined` for another recogniser, which knows any
   * sentence.
   */
  readonly phraseCount: number | null | undefined;
  readonly onPick: (sentence: string) => void;
}

export function Suggestions({ sentences, isProminent, phraseCount, onPick }: SuggestionsProps) {
  return (
    <section className={isProminent ? "suggestions suggestions-prominent" : "suggestions"} aria-label="Try saying">
      <h2>Try saying</h2>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>
            <button
              type="button"
              className="chip"
              title="Send it as text, or say it aloud"
              onClick={() => onPick(sentence)}
            >
              {sentence}
            </button>
          </li>
        ))}
      </ul>
      {isProminent && typeof phraseCount === "number" && (
        <p className="hint">
          Speech is recognised on this machine: English, and best the {phraseCount} phrases that this agent expects,
          like these. Of another language only such phrases are understood. Typed text always works.
        </p>
      )}
    </section>
  );
}
