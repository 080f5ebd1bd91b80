/**
 * Removes our own secrets from the output of a service or a child process: it may send back what it was sent, and a tool's result reaches
 * the model, the history and all watchers. Pure.
 */

const mask = "***";
/** A shorter secret would also match ordinary words. */
const shortestHidden = 6;

export function hideSecrets(text: string, secrets: Iterable<string>): string {
  let hidden = text;
  // The longest first: otherwise, if one secret begins with another, the rest of the longer one would remain.
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length);
  for (const secret of longestFirst) {
    if (secret.length < shortestHidden) continue;
    for (const form of formsOf(secret)) hidden = hidden.replaceAll(form, mask);
  }
  return hidden;
}

/** Includes its notation in JSON, if it contains a quotation mark, a backslash or a slash, which PHP, for example, writes as `\/`. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, inJson.replaceAll("/", String.raw`\/`)];
}
