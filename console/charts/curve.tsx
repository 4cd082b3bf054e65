import { Frame, placeIn, type Area } from './frame.tsx';

interface CurvePoint {
  /** `x` and `y` are in percent. */
  x: number;
  y: number;
  /** Bounds of the interval of `y`. */
  low: number;
  high: number;
  /** The area of the mark grows with the weight. */
  weight: number;
  title: string;
}

interface CurveProps {
  label: string;
  points: readonly CurvePoint[];
  format: (value: number) => string;
}

const MIN_RADIUS = 2;
const MAX_RADIUS = 9;
const ROUND = 10;

/** Plots one share against another, both on the same scale, with the line on which they are equal. */
export function Curve({ label, points, format }: CurveProps) {
  const shares = points.flatMap(({ x, low, high }) => [x, low, high]);
  const range = [
    Math.floor(Math.min(...shares) / ROUND) * ROUND,
    Math.ceil(Math.max(...shares) / ROUND) * ROUND,
  ] as const;
  const place = placeIn(range);
  const across = (value: number, { left, right }: Area) =>
    left + ((value - range[0]) / (range[1] - range[0])) * (right - left);
  const heaviest = Math.max(1, ...points.map(({ weight }) => weight));
  const ticks = range.map((value) => ({ value, shown: format(value) }));
  return (
    <Frame label={label} ticks={ticks} place={place} ends={[format(range[0]), format(range[1])]}>
      {(area) => (
        <>
          <path class="line equal" d={`M${area.left} ${area.bottom}L${area.right} ${area.top}`} />
          <path
            class="line first"
            d={`M${points.map(({ x, y }) => `${across(x, area)} ${place(y, area)}`).join('L')}`}
          />
          {points.map(({ x, low, high }) => (
            <path
              key={x}
              class="line interval"
              d={`M${across(x, area)} ${place(low, area)}V${place(high, area)}`}
            />
          ))}
          {points.map(({ x, y, weight, title }) => (
            <circle
              key={x}
              class="first"
              cx={across(x, area)}
              cy={place(y, area)}
              r={MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(weight / heaviest)}
            >
              <title>{title}</title>
            </circle>
          ))}
        </>
      )}
    </Frame>
  );
}

/** 95% of a normal distribution lie within this many standard deviations. */
const DEVIATIONS = 1.96;

/**
 * Wilson's interval of a share, in percent. It assumes independent cases. Forecasts of the same day are not
 * independent, so the true interval is at least as wide.
 */
export function shareInterval(sharePct: number, cases: number): { low: number; high: number } {
  const share = sharePct / 100;
  const square = DEVIATIONS ** 2;
  const middle = share + square / (2 * cases);
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  const scale = 100 / (1 + square / cases);
  return { low: Math.max(0, scale * (middle - half)), high: Math.min(100, scale * (middle + half)) };
}
