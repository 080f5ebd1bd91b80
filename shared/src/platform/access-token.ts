/** A function that has a valid token for a scope whenever it is called; it caches, and renews before the end. */
export type TokenSource = (scope: string) => () => Promise<string>;
