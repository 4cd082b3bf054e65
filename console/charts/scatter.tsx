import { day } from '#console/words/formats.ts';
import { Frame, placeIn, rangeOf, ticksOf } from './frame.tsx';

interface Point {
  /** The day, which sets the horizontal position. */
  date: string;
  value: number;
  /** The area of the mark grows with the weight. */
  weight: number;
  title: string;
}

interface ScatterProps {
  label: string;
  /** Every day, including those without a point. */
  days: readonly string[];
  points: readonly Point[];
  format: (value: number) => string;
}

const MIN_RADIUS = 3;
const MAX_RADIUS = 14;
/** Free space above and below the range, as a share of it: room for the marks at its ends. */
const MARGIN = 0.08;

/** Values by day. The area of a mark shows its weight. */
export function Scatter({ label, days, points, format }: ScatterProps) {
  const range = rangeOf(points.map(({ value }) => value));
  const margin = MARGIN * (range[1] - range[0]);
  const place = placeIn([range[0] - margin, range[1] + margin]);
  const heaviest = Math.max(1, ...points.map(({ weight }) => weight));
  return (
    <Frame label={label} ticks={ticksOf(range, format)} place={place} ends={[day(days[0]), day(days.at(-1))]}>
      {(area) => {
        const step = (area.right - area.left) / days.length;
        return points.map(({ date, value, weight, title }) => (
          <circle
            key={date}
            class={value >= 0 ? 'rise' : 'fall'}
            cx={area.left + (days.indexOf(date) + 0.5) * step}
            cy={place(value, area)}
            r={MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(weight / heaviest)}
          >
            <title>{title}</title>
          </circle>
        ));
      }}
    </Frame>
  );
}
