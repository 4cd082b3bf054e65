import { Frame, placeIn, rangeOf, ticksOf } from './frame.tsx';
import { Legend, type Series } from './legend.tsx';

const DOT_RADIUS = 3;

interface LinesProps {
  label: string;
  lines: readonly Series[];
  /** Labels below the left and the right end. */
  ends: readonly [string, string];
  format: (value: number) => string;
}

/** Draws values at equal distances as lines. A value between two gaps is a dot. */
export function Lines({ label, lines, ends, format }: LinesProps) {
  const range = rangeOf(lines.flatMap(({ values }) => values.filter((value) => value !== null)));
  const place = placeIn(range);
  return (
    <>
      <Legend of={lines} />
      <Frame label={label} ticks={ticksOf(range, format)} place={place} ends={ends}>
        {(area) =>
          lines.map(({ name, kind, values }) => {
            const step = (area.right - area.left) / Math.max(1, values.length - 1);
            const pieces = piecesOf(values).map((piece) =>
              piece.map(([at, value]) => [area.left + at * step, place(value, area)] as const),
            );
            return (
              <g key={name}>
                {pieces.map((points) =>
                  points.length === 1 ? (
                    <circle
                      key={points[0]![0]}
                      class={kind}
                      cx={points[0]![0]}
                      cy={points[0]![1]}
                      r={DOT_RADIUS}
                    />
                  ) : (
                    <path
                      key={points[0]![0]}
                      class={`line ${kind}`}
                      d={`M${points.map((point) => point.join(' ')).join('L')}`}
                    />
                  ),
                )}
              </g>
            );
          })
        }
      </Frame>
    </>
  );
}

type Piece = [at: number, value: number][];

/** The parts of a line between its gaps. */
function piecesOf(values: readonly (number | null)[]): Piece[] {
  const pieces: Piece[] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const last = pieces.at(-1);
    if (last?.at(-1)![0] === at - 1) last.push([at, value]);
    else pieces.push([[at, value]]);
  });
  return pieces;
}
