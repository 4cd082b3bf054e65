import type { Figure } from './report.ts';

/** The fleet prints, for every process, the seconds after which it was ready. */
export function startFigures(output: string, firstRunShownMs: number): Figure[] {
  const ready = [...output.matchAll(/ ready on .* ([\d.]+) s$/gm)].map(([, seconds]) => Number(seconds));
  return [
    {
      what: 'start with data in place, all services ready',
      measured: `${Math.max(...ready).toFixed(1)} s`,
      bar: '< 5 s',
    },
    { what: 'the same, until a first run is shown', measured: `${(firstRunShownMs / 1000).toFixed(1)} s` },
  ];
}
