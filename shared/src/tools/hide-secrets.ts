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
    for (const form of formsOf(secret)) hidden = hidden.replaceAll(form, mask);
  }
  return hidden;
}

/** Also as JSON writes it, where it contains a quotation mark or a backslash, or a slash: PHP, for one, writes that as `\/`. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, inJson.replaceAll("/", String.raw`\/`)];
}
