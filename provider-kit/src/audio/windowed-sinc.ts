/** The kernel used for resampling. Plain arithmetic, for Node and browsers alike. */

/** The ideal low-pass filter: 1 at 0, and 0 at every other whole number. */
export function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/**
 * Limits the infinite sinc: 1 at 0, falling to nearly zero towards -1 and 1, and 0 beyond. The larger `beta`, the deeper the stop band and
 * the wider the transition to it: 6 gives about 60 dB, 8 about 80 dB.
 */
export function kaiserWindow(x: number, beta: number): number {
  return Math.abs(x) >= 1 ? 0 : besselI0(beta * Math.sqrt(1 - x * x)) / besselI0(beta);
}

/** The modified Bessel function of the first kind and order 0, by its power series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
