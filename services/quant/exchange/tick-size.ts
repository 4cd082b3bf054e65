/** Shares in one lot of the regular market. The negotiated market also trades odd lots. */
export const LOT_SHARES = 100;

/** Tick sizes (fraksi harga): a price below the bound moves in steps of the tick, both IDR. */
const TICKS: readonly { below: number; tick: number }[] = [
  { below: 200, tick: 1 },
  { below: 500, tick: 2 },
  { below: 2_000, tick: 5 },
  { below: 5_000, tick: 10 },
];
const LARGEST_TICK = 25;

/** Tick in IDR at a price in IDR (IDX rule II-A). */
export function tickSize(price: number): number {
  for (const { below, tick } of TICKS) if (price < below) return tick;
  return LARGEST_TICK;
}

/** The highest tradable price not above `price`. */
export function floorToTick(price: number): number {
  const tick = tickSize(price);
  return Math.floor(price / tick) * tick;
}

/** The lowest tradable price not below `price`. */
export function ceilToTick(price: number): number {
  const tick = tickSize(price);
  return Math.ceil(price / tick) * tick;
}

/** The nearest tradable price, at least one tick. */
export function roundToTick(price: number): number {
  const tick = tickSize(price);
  return Math.max(tick, Math.round(price / tick) * tick);
}
