/**
 * FAIL-8: a connection without any response for this long may be dead without a sign, and a new one is tried. A model that streams rarely
 * needs as long, the speech service sends its first audio within half a second, and it is well before the caller is told that there is no
 * answer (FAIL-1).
 */
export const silentConnectionMs = 2000;
