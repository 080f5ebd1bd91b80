/** `name=value` pairs with commas between them. What has no equals sign is a value without a name. */
export function pairsIn(text: string): readonly { readonly name: string; readonly value: string }[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return { name: part.slice(0, Math.max(0, at)), value: part.slice(at + 1) };
    });
}
