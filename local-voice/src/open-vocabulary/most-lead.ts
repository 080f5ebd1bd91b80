/**
 * How far the logarithms of what is followed at a time may be apart. By itself, because a host asks for it in its main thread, which has
 * nothing to do with the tokens of the codes (half a megabyte of text to unpack).
 */
export const widest = 6;
/** Of two codes that were found, one cannot be known to be more probable by more than the beam is wide. */
export const mostLead = widest;
