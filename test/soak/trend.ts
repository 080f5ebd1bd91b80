/**
 * Does a figure grow? The slope by Theil and Sen, which a few outliers cannot bend, with the range in which it lies with a
 * probability of 95 % (Sen 1968): a figure that only goes up and down has zero within that range.
 */

interface Point {
  readonly at: number;
  readonly value: number;
}

interface Trend {
  readonly median: number;
  /** Per unit of `at`. */
  readonly slope: number;
  /** It is not less than that, with a probability of 97.5 %. */
  readonly atLeast: number;
}

/** Of the normal distribution, both sides. */
const z = 1.96;

export function trendOf(points: readonly Point[]): Trend {
  const slopes: number[] = [];
  for (const [index, later] of points.entries())
    for (const earlier of points.slice(0, index))
      if (later.at !== earlier.at) slopes.push((later.value - earlier.value) / (later.at - earlier.at));
  slopes.sort((one, other) => one - other);
  const values = points.map(({ value }) => value).toSorted((one, other) => one - other);
  const count = points.length;
  const spread = z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const lowest = Math.max(0, Math.floor((slopes.length - spread) / 2));
  return { median: middle(values), slope: middle(slopes), atLeast: slopes[lowest] ?? 0 };
}

function middle(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 0 ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper;
}
