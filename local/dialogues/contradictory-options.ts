/** Options of `npm run dialogues` that exclude each other, in a sentence; undefined if none do. */
export function contradictionIn(values: {
  readonly audio: boolean;
  readonly varied: boolean;
  readonly model: boolean;
  readonly versions?: string | undefined;
}): string | undefined {
  const { audio, varied, model, versions } = values;
  if (varied && !audio) return "--varied is about how callers speak: it needs --audio";
  if (model && audio) return "--model is for typed dialogues: leave --audio out";
  if (versions !== undefined && audio) return "--versions is for typed dialogues: leave --audio out";
  return undefined;
}
