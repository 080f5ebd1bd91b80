/**
 * A function that returns a valid token for a scope whenever it is called. It caches tokens, and renews them before
 * they expire.
 */
export type TokenSource = (scope: string) => () => Promise<string>;
