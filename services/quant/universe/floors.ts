/** What a name must at least be for a run to consider it. */
export interface Floors {
  /** IDR, of the close. */
  min_price: number;
  /** IDR, of the mean of the last 20 exchange days. */
  min_daily_val: number;
}

export function isAboveFloors(
  { close, averageValue }: { close: number; averageValue: number },
  { min_price, min_daily_val }: Floors,
): boolean {
  return close >= min_price && averageValue >= min_daily_val;
}
