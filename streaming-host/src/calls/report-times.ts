/** How long the service is given to report something before it is asked, or something is done about it. */

/** How long a connected call may go without an event. */
export const quietMs = 60_000;
/** A report comes within a second, and after a cold start of the functions app within a few. */
export const followUpMs = 5000;
/** The time from a call being connected to its first stream. */
export const firstStreamMs = 2500;
