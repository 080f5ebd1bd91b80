/**
 * Limits the wait for a user's own code while the service starts: until the code is loaded it accepts no conversation, and code that hangs
 * would otherwise block the start without any message.
 */
export async function inTime<T>(begin: () => T | Promise<T>, longestMs: number, doing: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it was still ${doing} after ${longestMs / 1000} s`)), longestMs);
  });
  try {
    return await Promise.race([begin(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For a module to load. */
export const longestLoadMs = 10_000;
