/** How many threads speak: as many as MAX_TTS_POOL_SIZE allows and the machine has room for, beside the one that serves. */
export function synthesisThreads(maxPoolSize: number, cores: number): number {
  return Math.max(1, Math.min(maxPoolSize, cores - 1));
}
