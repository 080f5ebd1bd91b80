/**
 * What one process tells all others that listen at this moment: a wish for a conversation that some host holds, a moment of
 * its audio. Nothing is kept, and nobody learns whether anybody heard it.
 */

export type StopListening = () => void;

export interface Broadcasts {
  /** Fire and forget: never throws, never waits; dropped while the store is unreachable. */
  send(topic: string, text: string): void;
  /** Everything that is sent after this resolved reaches the listener, in order. A listener that throws is logged. */
  listen(topic: string, listener: (text: string) => void): Promise<StopListening>;
}
