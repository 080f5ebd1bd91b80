/**
 * A date as the language writes it ("21. März"). The voice inflects it to fit the words around it, which a date already
 * spelt out in one grammatical case would not allow.
 */

export function dateFormat(locale: string, spoken: (written: string) => string = (written) => written) {
  let format: Intl.DateTimeFormat | undefined;
  return (isoDate: string): string => {
    const [, day] = /^(\d{4}-\d{2}-\d{2})/.exec(isoDate) ?? [];
    const ms = day === undefined ? Number.NaN : Date.parse(day);
    if (Number.isNaN(ms)) return isoDate;
    format ??= new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" });
    return spoken(format.format(ms));
  };
}
