import { NONE, number, percent, rupiah } from '#console/words/formats.ts';
import { shared } from '#console/words/shared.ts';

/** A value of a field, or what a condition compares it with. Without a unit, a number is shown as it is. */
export function valueText(value: unknown, unit?: string | null): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, unit)).join(', ');
  if (typeof value === 'boolean') return value ? shared.yes : shared.no;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return NONE;
  if (unit === 'percent') return percent(value, 2);
  return unit === 'idr' ? rupiah(value) : number(value, 4);
}
