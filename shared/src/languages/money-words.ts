/** Money in words, for the currencies that a language names itself; others by the names that the platform knows. */

export interface CurrencyNames {
  /** One, and several. */
  readonly unit: readonly [string, string];
  readonly cent: readonly [string, string];
}

export interface MoneyForms {
  readonly locale: string;
  /** ISO 4217. */
  readonly usual: string;
  readonly names: Readonly<Record<string, CurrencyNames>>;
  /** "ein Euro" and not "eins Euro"; a million may want a word behind it. */
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
