import type { Suggestion } from './empty-block.ts';

const UNITS: Record<string, number> = { juta: 1e6, miliar: 1e9 };

/** `Rp2,5 miliar`, `Rp1.000`. */
function amountIdr(text: string): number {
  const [amount, unit] = text.replace('Rp', '').split(' ');
  return Number(amount!.replaceAll('.', '').replace(',', '.')) * (unit === undefined ? 1 : UNITS[unit]!);
}

const CHANGES: Record<string, (suggested: string) => object> = {
  'Probabilitas minimum': (suggested) => ({ min_probability: Number(suggested.replace(',', '.')) }),
  'Sinyal minimum': (suggested) => ({ min_signals: Number(suggested) }),
  Strategi: (strategy) => ({ strategy }),
  'Saringan kenaikan yang didorong ritel': (suggested) => ({ exclude_retail_led: suggested === 'aktif' }),
  'Nilai transaksi harian minimum': (suggested) => ({ min_daily_val: amountIdr(suggested) }),
  'Harga minimum': (suggested) => ({ min_price: amountIdr(suggested) }),
};

/** What a caller who follows a suggestion changes. */
export function followed({ label, suggested }: Suggestion): object {
  const change = CHANGES[label]?.(suggested);
  if (!change) throw new Error(`unknown suggestion ${label}`);
  return change;
}

/** How many names a suggestion says it lets through. */
export function promised({ why }: Suggestion): number {
  return Number(/(\S+) saham akan lolos\./.exec(why)?.[1]?.replaceAll('.', ''));
}
