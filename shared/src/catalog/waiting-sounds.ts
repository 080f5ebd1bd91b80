/** SOUND-1: what callers may hear while an agent works. */
export const waitingSounds = ["typing", "tone", "none"] as const;

export type WaitingSoundName = (typeof waitingSounds)[number];
