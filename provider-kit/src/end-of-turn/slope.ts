/** The slope of the straight line through points (x, y), by least squares. */

/** Fewer points show no direction. */
const fewestPoints = 5;

export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number | undefined {
  if (points.length < fewestPoints) return undefined;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  let spread = 0;
  let together = 0;
  for (const [x, y] of points) {
    spread += (x - meanX) ** 2;
    together += (x - meanX) * (y - meanY);
  }
  return together / spread;
}
