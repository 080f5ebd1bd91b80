/** Whether sessions got worse, or only fell out differently. Pure. */

/**
 * pass^k of one group: the chance that k sessions of it all pass, estimated without bias from `passed` of `total`
 * (Yao et al., tau-bench, 2024). Undefined for fewer than k sessions.
 */
export function passPowerK(passed: number, total: number, k: number): number | undefined {
  if (total < k) return undefined;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, passed - drawn) / (total - drawn);
  return share;
}

export interface Tally {
  readonly passed: number;
  readonly total: number;
}

/**
 * Fisher's exact test, one-sided: how probable it is to see this few passes now, or fewer, if nothing has changed. It
 * is exact for the small numbers that simulations have, where a normal approximation is not.
 */
export function probabilityOfFall(before: Tally, now: Tally): number {
  const passes = before.passed + now.passed;
  const all = before.total + now.total;
  const fewest = Math.max(0, passes - before.total);
  const whole = logChoose(all, now.total);
  let sum = 0;
  for (let passed = fewest; passed <= now.passed; passed++)
    sum += Math.exp(logChoose(passes, passed) + logChoose(all - passes, now.total - passed) - whole);
  return Math.min(1, sum);
}

function logChoose(from: number, chosen: number): number {
  if (chosen < 0 || chosen > from) return Number.NEGATIVE_INFINITY;
  let log = 0;
  for (let index = 1; index <= chosen; index++) log += Math.log(from - chosen + index) - Math.log(index);
  return log;
}
