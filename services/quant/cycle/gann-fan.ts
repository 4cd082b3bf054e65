/**
 * The 1x1 line of a Gann fan: up from a swing low by one average true range (of the low's bar) a bar. Gann drew it at
 * 45 degrees, which depends on how a chart is scaled; one range a bar does not. In the unit of the price. Holding above
 * it is said to mean strength; there is no academic support for that.
 */
export function oneByOne(swingLow: number, rangePerBar: number, bars: number): number {
  return swingLow + rangePerBar * bars;
}
