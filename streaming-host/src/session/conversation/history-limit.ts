/** How large the history of one session may become (FR-8). */
export interface HistoryLimit {
  /** Characters, as `historySize` counts them. */
  readonly maxCharacters: number;
  /** Called once, when an append reaches the limit. What is said while the conversation ends is still kept. */
  readonly onReached: () => void;
}
