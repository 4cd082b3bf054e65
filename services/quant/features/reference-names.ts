import { LIQUID_VALUE_IDR } from '../regime/liquidity.ts';

export const REFERENCE_CLOSE_IDR = 100;

/**
 * Whether a stock is among those that the others of its day are measured by, and that models learn from: liquid, and
 * not so cheap that a tick is more than a percent.
 */
export function isReference(close: number, averageValue: number): boolean {
  return averageValue >= LIQUID_VALUE_IDR && close >= REFERENCE_CLOSE_IDR;
}
