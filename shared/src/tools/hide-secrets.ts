/**
 * Removes our own secrets from what a service or a child process says: it may send back what it was sent, and a tool's
 * result reaches the model, the history and everybody who watches. Pure.
 */

const mask = "***";
/** A shorter secret would be found in ordinary words. */
const shortestHidden = 6;

export function hideSecrets(text: string, secrets: Iterable<string>): string {
  let hidden = text;
  // The longest first: of one that begins with another, the rest would stay.
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length);
  for (const secret of longestFirst) {
    if (secret.length < shortestHidden) continue;
    // Also as JSON writes it, where it contains a quotation mark or a backslash.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) hidden = hidden.replaceAll(form, mask);
  }
  return hidden;
}
