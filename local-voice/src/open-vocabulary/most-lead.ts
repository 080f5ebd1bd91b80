/**
 * Of two codes that were found, one cannot be known to be more probable by more than the beam is wide: the logarithm of the factor. By
 * itself, because a host's main thread asks for it, and would load the tokens of the codes with them, which take 8 MB.
 */
export const mostLead = 6;
