/** The noise sample at a position, from -1 to 1. */
export function whiteNoise(at: number): number {
  let hash = Math.imul(at + 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}
