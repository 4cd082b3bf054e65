import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import type { Evaluation } from '../evaluation.ts';
import { element, type Markup } from './markup.ts';

/** Shown for an undefined figure. */
const NONE = '–';

export function percent(fraction: number | null, digits = 1): string {
  return fraction === null ? NONE : `${minus((100 * fraction).toFixed(digits))} %`;
}

export function plain(value: number | null, digits = 2): string {
  return value === null ? NONE : minus(value.toFixed(digits));
}

export function count(n: number): string {
  return n.toLocaleString('en');
}

type Written = (value: number | null) => string;

/** The figure with its interval: 1.21 (0.94 to 1.52). */
export function withInterval({ value, low, high }: Estimate, written: Written): string {
  return low === null ? written(value) : `${written(value)} (${interval({ value, low, high }, written)})`;
}

export function interval({ low, high }: Estimate, written: Written): string {
  return `${written(low)} to ${written(high)}`;
}

/** Whether the whole interval is above a value; false for an undefined interval. */
export function liesAbove({ low }: Estimate, bound: number): boolean {
  return low !== null && low > bound;
}

/** Uses a minus sign as wide as a digit, and none before a zero. */
function minus(text: string): string {
  return /^-[0.]*$/.test(text) ? text.slice(1) : text.replace('-', '−');
}

/** Repeated above every group of figures, so that none can be shown without them. */
export function labelsOf({ labels }: Pick<Evaluation, 'labels'>): Markup[] {
  return labels.map((label) => element('p', { class: 'label' }, label));
}
