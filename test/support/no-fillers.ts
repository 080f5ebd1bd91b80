/** A busy machine is as slow as a model that thinks, and a test that waits for an answer would take a filler for it. */
export const noFillers = { FILLER_DELAY: "0" };
