export const hourMs = 3_600_000;
/** 24 hours; daylight saving changes do not matter here. */
export const dayMs = 86_400_000;
