/** Processor time of the thread that asks: neither another process nor another thread of this one counts. */
export function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
