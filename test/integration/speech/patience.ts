/** How long adapters wait for a service of these tests. */

/** What an adapter waits for a service that answers in milliseconds, on a machine that is busy with something else. */
export const patientMs = 30_000;
/** What it waits for a service that does not answer at all. */
export const briefMs = 300;
