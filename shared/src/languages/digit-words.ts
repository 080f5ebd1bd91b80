/** "4412" → "four four one two". Characters other than digits are left out. */
export function digitWords(toWords: (value: number) => string): (text: string) => string {
  return (text) => (text.match(/\d/g) ?? []).map((digit) => toWords(Number(digit))).join(" ");
}
