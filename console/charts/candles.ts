import type { Schemas } from '#client/index.ts';

export type Bar = Schemas['Bar'];

/** A price that is drawn as a line across the chart. */
export interface Level {
  name: string;
  price: number;
  kind: 'entry' | 'stop' | 'target';
}

/** A line over or below the candles. It has one value for each bar, undefined where nothing is known: the line is interrupted there. */
interface DayValues {
  name: string;
  values: readonly (number | undefined)[];
}

/** Something that happened on a day, marked above its candle. */
interface Marker {
  date: string;
  text: string;
}

/** What is drawn. */
export interface Candles {
  bars: readonly Bar[];
  levels?: readonly Level[];
  overlays?: readonly DayValues[];
  markers?: readonly Marker[];
  flows?: readonly DayValues[];
}

export interface CandleChartProps extends Candles {
  /** Text alternative for screen readers. */
  label: string;
  /** What the lines below are. */
  flowsTitle?: string | undefined;
}
