import { day } from '#console/words/formats.ts';
import { Frame, placeIn, rangeOf, ticksOf } from './frame.tsx';
import { Legend, type Series } from './legend.tsx';

interface DayBarsProps {
  label: string;
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}

/** Limits the width of a day, so that one day does not fill the drawing. */
const MAX_STEP = 60;

/** One bar a day, made of stacked parts: positive ones upwards from zero, negative ones downwards. */
export function DayBars({ label, days, series, format }: DayBarsProps) {
  const stacks = days.map((_, at) => stackOf(series.map(({ values }) => values[at] ?? 0)));
  const range = rangeOf(stacks.flat(2));
  const place = placeIn(range);
  return (
    <>
      {series.length > 1 && <Legend of={series} />}
      <Frame
        label={label}
        ticks={ticksOf(range, format)}
        place={place}
        ends={[day(days[0]), days.length > 1 ? day(days.at(-1)) : '']}
      >
        {(area) => {
          const step = Math.min((area.right - area.left) / days.length, MAX_STEP);
          return stacks.map((stack, at) =>
            stack.map(([from, to], part) => (
              <rect
                key={`${days[at]} ${part}`}
                class={series[part]!.kind}
                x={area.left + at * step + step * 0.1}
                width={Math.max(step * 0.8, 0.5)}
                y={Math.min(place(from, area), place(to, area))}
                height={Math.abs(place(from, area) - place(to, area))}
              />
            )),
          );
        }}
      </Frame>
    </>
  );
}

/** Where each part begins and ends. */
function stackOf(parts: readonly number[]): [number, number][] {
  let [up, down] = [0, 0];
  return parts.map((part) => {
    if (part >= 0) return [up, (up += part)];
    return [down, (down += part)];
  });
}
