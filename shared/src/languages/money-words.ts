/** Puts money into words. Currencies that the language pack does not name have the platform's names. */

export interface CurrencyNames {
  /** The singular and the plural. */
  readonly unit: readonly [string, string];
  readonly cent: readonly [string, string];
}

export interface MoneyForms {
  readonly locale: string;
  /** The currency that is usual for the language, by its ISO 4217 code. */
  readonly usual: string;
  readonly names: Readonly<Record<string, CurrencyNames>>;
  /** Puts the count before the name: "ein Euro" rather than "eins Euro"; a million may need a word after it. */
  readonly count: (value: number, name: string) => string;
  readonly and: string;
  readonly minus: string;
}

export function moneyWords(forms: MoneyForms): (amount: number, currency?: string) => string {
  return (amount, currency = forms.usual) => {
    const names = forms.names[currency.toUpperCase()];
    if (names === undefined) return namedByPlatform(forms.locale, amount, currency);
    const totalCents = Math.round(Math.abs(amount) * 100);
    const units = Math.trunc(totalCents / 100);
    const cents = totalCents % 100;
    const parts: string[] = [];
    if (units > 0 || cents === 0) parts.push(forms.count(units, names.unit[units === 1 ? 0 : 1]));
    if (cents > 0) parts.push(forms.count(cents, names.cent[cents === 1 ? 0 : 1]));
    return `${amount < 0 ? `${forms.minus} ` : ""}${parts.join(` ${forms.and} `)}`;
  };
}

function namedByPlatform(locale: string, amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "name" }).format(amount);
  } catch {
    return `${amount} ${currency}`; // no currency, by its letters
  }
}
