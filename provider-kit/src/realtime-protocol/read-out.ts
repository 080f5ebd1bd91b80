/** The request to say fixed words, for services that can only be asked for an answer. */
export function readOut(words: string): string {
  return `Read out exactly the words between the quotation marks, in their language, and add nothing:\n"${words}"`;
}
