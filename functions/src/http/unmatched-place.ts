/** The function behind all others. The host takes the first name that matches, not the most specific route: it sorts last. */
export const unmatchedName = "zzNotFound";

/** All that the library can represent: the Request of the fetch standard refuses TRACE and CONNECT. */
export const unmatchedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
