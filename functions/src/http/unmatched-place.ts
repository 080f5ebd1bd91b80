/**
 * The catch-all function. The host takes the first function by name that matches, not the most specific route, so this
 * name sorts last.
 */
export const unmatchedName = "zzNotFound";

/** All methods that the library can represent: the fetch standard's Request refuses TRACE and CONNECT. */
export const unmatchedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
