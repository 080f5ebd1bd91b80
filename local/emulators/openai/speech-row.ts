/** A manner of a server, as a row of the table in docs/models.md. */
export interface SpeechRow {
  /** Whose manner it is; the part behind a slash tells manners of the same server apart. */
  readonly server: string;
  readonly manner: string;
  readonly source: string;
}
