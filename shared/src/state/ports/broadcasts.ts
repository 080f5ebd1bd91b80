/**
 * Messages from one process to all others that are listening at that moment: a command for a conversation that some
 * host holds, or a piece of its audio. Nothing is stored, and the sender does not learn whether anybody received it.
 */

export type StopListening = () => void;

export interface Broadcasts {
  /** Fire and forget: never throws, never waits; dropped while the store is unreachable. */
  send(topic: string, text: string): void;
  /** Everything that is sent after this resolved reaches the listener, in order. A listener that throws is logged. */
  listen(topic: string, listener: (text: string) => void): Promise<StopListening>;
}
