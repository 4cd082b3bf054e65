import type { ImportProgress } from '#proto/saring/market_data/v1/datasets.ts';
import { terminalText } from '#shared/text/terminal-text.ts';

const PLAIN_LINE_EVERY_MS = 2_000;

/**
 * The seconds at the end of a line: since the start of the fleet that runs this command, whose own lines count from
 * there, else since the start of the import.
 */
export function clock(
  importElapsedMs: number,
  { SARING_FLEET_STARTED_AT_MS: fleetStartedAtMs } = process.env,
  nowMs = Date.now(),
): string {
  const elapsedMs = fleetStartedAtMs ? nowMs - Number(fleetStartedAtMs) : importElapsedMs;
  return `${(elapsedMs / 1000).toFixed(1)} s`;
}

/** Shows how far an import is: one line that is rewritten on a terminal, a line now and then anywhere else. */
export class ProgressLine {
  #lastPlainLineAt = -Infinity;
  #lastStep = '';

  show({ step, rows_read, elapsed_ms }: ImportProgress): void {
    const rows = rows_read > 0 ? `, ${rows_read.toLocaleString('en')} rows` : '';
    const line = terminalText(`  … ${step}${rows}   ${clock(elapsed_ms)}`);
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\x1b[K${line}`);
    } else if (step !== this.#lastStep || performance.now() - this.#lastPlainLineAt > PLAIN_LINE_EVERY_MS) {
      process.stderr.write(`${line}\n`);
      this.#lastPlainLineAt = performance.now();
    }
    this.#lastStep = step;
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
