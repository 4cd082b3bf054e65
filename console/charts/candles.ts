import type { Schemas } from '#client/index.ts';

export type Bar = Schemas['Bar'];

/** A price that is drawn as a line across the chart. */
export interface Level {
  name: string;
  price: number;
  kind: 'entry' | 'stop' | 'target';
}

/** A line over the candles. It has one value for each bar, undefined where the line is interrupted. */
interface Overlay {
  name: string;
  values: readonly (number | undefined)[];
}

export interface CandleChartProps {
  /** Text alternative for screen readers. */
  label: string;
  bars: readonly Bar[];
  levels?: readonly Level[];
  overlays?: readonly Overlay[];
}
