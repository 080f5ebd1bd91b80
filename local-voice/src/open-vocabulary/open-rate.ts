/** The rate that the open recogniser's model was trained at, apart from the model: whoever needs only this loads no tokens, which take 8 MB. */
export const openRateHz = 16_000;
