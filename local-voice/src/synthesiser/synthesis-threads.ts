/** The number of synthesis threads: limited by MAX_TTS_POOL_SIZE and by the processors left beside the main thread. */
export function synthesisThreads(maxPoolSize: number, cores: number): number {
  return Math.max(1, Math.min(maxPoolSize, cores - 1));
}
