/** `front_desk` and `FrontDesk` as a person writes it: Front desk. */
export function displayName(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
