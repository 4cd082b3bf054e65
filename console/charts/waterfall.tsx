import { signed } from '#console/words/formats.ts';
import { DrawnTable, placeAmong, WIDTH } from './drawn-table.tsx';

/** One line of a sum. */
export interface Step {
  label: string;
  /** The amount that it adds or, for a total, the sum so far. */
  value: number;
  isTotal?: boolean;
}

interface WaterfallProps {
  caption: string;
  columns: { name: string; value: string };
  steps: readonly Step[];
}

const DECIMALS = 3;
const THICKNESS = 10;
/** Keeps the smallest step visible. */
const MIN_WIDTH = 0.6;

/** A sum, step by step, with the start and the end of each step. */
export function Waterfall({ caption, columns, steps }: WaterfallProps) {
  const spans = spansOf(steps);
  const place = placeAmong(spans.flat());
  const rows = steps.map(({ label, value, isTotal }, at) => {
    const [from, to] = spans[at]!.map(place) as [number, number];
    const drawing = isTotal ? (
      <rect
        class="total"
        x={Math.max(0, to - MIN_WIDTH * 2)}
        width={MIN_WIDTH * 2}
        y={0}
        height={THICKNESS}
      />
    ) : (
      <rect
        class={value >= 0 ? 'rise' : 'fall'}
        x={Math.min(from, to, WIDTH - MIN_WIDTH)}
        width={Math.max(Math.abs(to - from), MIN_WIDTH)}
        y={2}
        height={THICKNESS - 4}
      />
    );
    const kind = isTotal ? 'total' : '';
    return { key: label, label, kind, drawing, shown: signed(value, DECIMALS) };
  });
  return <DrawnTable caption={caption} columns={columns} rows={rows} />;
}

/** The start and the end of each step. A total starts and ends at its own value. */
function spansOf(steps: readonly Step[]): [number, number][] {
  let reached = 0;
  return steps.map(({ value, isTotal }) => {
    const from = isTotal ? value : reached;
    reached = isTotal ? value : reached + value;
    return [from, reached];
  });
}
