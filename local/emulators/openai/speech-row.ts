/** A manner of a server, as a row of the table in docs/models.md. */
export interface SpeechRow {
  /** The server that has this manner. A part behind a slash distinguishes manners of the same server. */
  readonly server: string;
  readonly manner: string;
  readonly source: string;
}
