import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The area inside the axes, where a chart draws. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A labelled value of the vertical axis. */
interface Tick {
  value: number;
  shown: string;
}

interface FrameProps {
  /** Text alternative for screen readers. */
  label: string;
  ticks: readonly Tick[];
  /** Labels below the left and the right end. */
  ends: readonly [string, string];
  /** Vertical position of a value, from the top. */
  place: (value: number, area: Area) => number;
  children: (area: Area) => ComponentChildren;
}

const HEIGHT = 220;
const FIRST_WIDTH = 600;
const MARGIN = { left: 80, right: 8, top: 8, bottom: 24 };

/** Axes of a drawing that is as wide as its container, so that text has the same size on a phone. */
export function Frame({ label, ticks, ends, place, children }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, entry!.contentRect.width)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const area: Area = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: HEIGHT - MARGIN.bottom,
  };
  return (
    <div class="drawing" ref={box}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={label}>
        {ticks.map(({ value, shown }) => (
          <g key={value}>
            <line
              class="grid"
              x1={area.left}
              x2={area.right}
              y1={place(value, area)}
              y2={place(value, area)}
            />
            <text x={area.left - 6} y={place(value, area) + 4} text-anchor="end">
              {shown}
            </text>
          </g>
        ))}
        {children(area)}
        <text x={area.left} y={HEIGHT - 6}>
          {ends[0]}
        </text>
        <text x={area.right} y={HEIGHT - 6} text-anchor="end">
          {ends[1]}
        </text>
      </svg>
    </div>
  );
}

/** The lowest and the highest value, extended to include zero. */
export function rangeOf(values: readonly number[]): [number, number] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return least === most ? [0, 1] : [least, most];
}

export function placeIn([least, most]: readonly [number, number]) {
  return (value: number, { top, bottom }: Area) =>
    bottom - ((value - least) / (most - least)) * (bottom - top);
}

/** Minimum distance of labels as a share of the range. Closer ones would overlap. */
const MIN_TICK_DISTANCE = 0.08;

/** Labels at zero and at both ends. An end too close to zero has none. */
export function ticksOf([least, most]: readonly [number, number], format: (value: number) => string): Tick[] {
  const ends = [least, most].filter((end) => Math.abs(end) >= MIN_TICK_DISTANCE * (most - least));
  return [0, ...ends].map((value) => ({ value, shown: format(value) }));
}
