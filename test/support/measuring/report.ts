import { cpus, totalmem } from 'node:os';

export interface Figure {
  what: string;
  measured: string;
  /** The bar in `docs/performance.md`, if there is one. */
  bar?: string;
}

export function printFigures(title: string, figures: Figure[]): void {
  const rows = figures.map(({ what, measured, bar }) => [what, measured, bar ?? '']);
  console.log(`\n## ${title}\n`);
  console.log(markdownTable(['What', 'Measured', 'Bar'], rows));
}

/** Padded so that it is also readable on a terminal. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The quantile `q` (0 to 1) of the samples by the nearest-rank method. */
export function quantile(samples: number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1));
  return sorted[rank] ?? Number.NaN;
}

/** Quantiles of the samples as in `1.2 / 3.4 / 5.6`. */
export function spread(samples: number[], quantiles: readonly number[], digits = 1): string {
  return quantiles.map((q) => quantile(samples, q).toFixed(digits)).join(' / ');
}

/** One line about the machine on which the figures were measured. */
export function machineLine(): string {
  const [first, ...others] = cpus();
  const memoryGiB = (totalmem() / 2 ** 30).toFixed(0);
  return `${first?.model.trim()} × ${others.length + 1}, ${memoryGiB} GiB, ${process.platform}-${process.arch}, Node ${process.versions.node}`;
}

/** The last lines of a report. */
export function verdict(broken: readonly string[]): string {
  return broken.length === 0
    ? 'Every promise held.'
    : ['BROKEN:', ...broken.map((line) => `- ${line}`)].join('\n');
}
