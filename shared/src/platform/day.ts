/** 24 hours; daylight saving changes do not matter here. */
export const dayMs = 86_400_000;
