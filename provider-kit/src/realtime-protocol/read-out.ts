/** The request to speak fixed text, for services that can only be asked for a response. */
export function readOut(words: string): string {
  return `Read out exactly the words between the quotation marks, in their language, and add nothing:\n"${words}"`;
}
