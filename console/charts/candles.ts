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

/** Something that happened on a day, marked above its candle. */
interface Marker {
  date: string;
  text: string;
}

/** A line below the candles on the same days. It has one value for each bar, undefined where nothing is known. */
interface Flow {
  name: string;
  values: readonly (number | undefined)[];
}

/** What is drawn. */
export interface Candles {
  bars: readonly Bar[];
  levels?: readonly Level[];
  overlays?: readonly Overlay[];
  markers?: readonly Marker[];
  flows?: readonly Flow[];
}

export interface CandleChartProps extends Candles {
  /** Text alternative for screen readers. */
  label: string;
  /** What the lines below are. */
  flowsTitle?: string | undefined;
}
