/** How far a share that was counted in a few trials may lie from the true one, with 95 % certainty (Wilson's score interval). */
const z = 1.96;

export function wilson(successes: number, trials: number): readonly [number, number] {
  if (trials === 0) return [0, 1];
  const share = successes / trials;
  const centre = (share + z ** 2 / (2 * trials)) / (1 + z ** 2 / trials);
  const reach = (z / (1 + z ** 2 / trials)) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)];
}

/** "58.9 % 73/124 [50-67]" */
export function formatShare(successes: number, trials: number): string {
  const percent = (share: number): string => (share * 100).toFixed(0);
  const [least, most] = wilson(successes, trials);
  return `${((successes / Math.max(1, trials)) * 100).toFixed(1)} % ${successes}/${trials} [${percent(least)}-${percent(most)}]`;
}
