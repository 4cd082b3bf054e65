import { ServiceError } from '#shared/service-error.ts';
import { textTable } from '#shared/text/text-table.ts';
import { agrees } from '../ask.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { note } from '../output.ts';

interface Size {
  version?: string;
  kind: string;
  tickers: number;
  trading_days: number;
  bars: number;
  real_broker_rows: number;
  first_date: string;
  last_date: string;
}

/** What is served and what an import would put in its place. */
interface Shrinkage {
  served: Size;
  imported: Size;
}

/**
 * Runs an import, and again with `mayShrink` when it would shrink the served market and the operator at the terminal
 * agrees.
 * @throws CommandFailure when the operator declines, or no one can be asked
 */
export async function unlessItShrinks<T>(
  run: (mayShrink: boolean) => Promise<T>,
  { mayShrink, canAsk }: { mayShrink: boolean; canAsk: boolean },
): Promise<T> {
  try {
    return await run(mayShrink);
  } catch (error) {
    const shrinkage = shrinkageOf(error);
    if (!shrinkage) throw error;
    const { message } = error as ServiceError;
    if (!canAsk) throw refused(`${message} With the command: --add, or --replace.`);
    note(describe(shrinkage));
    if (!(await agrees('Replace it?'))) throw refused('nothing is published.');
  }
  return run(true);
}

function refused(message: string): CommandFailure {
  return new CommandFailure(EXIT.shrinks, message);
}

function shrinkageOf(error: unknown): Shrinkage | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  return error.detail.find(({ type }) => type === 'dataset_shrinks')?.ctx as Shrinkage | undefined;
}

function describe({ served, imported }: Shrinkage): string {
  const rows = [
    ['version', served.version ?? '', 'a new one'],
    ...(
      ['kind', 'tickers', 'trading_days', 'bars', 'real_broker_rows', 'first_date', 'last_date'] as const
    ).map((name) => [name.replaceAll('_', ' '), shown(served[name]), shown(imported[name])]),
  ];
  return [
    'This would shrink the market:',
    '',
    ...textTable(['', 'served now', 'after'], rows).map((line) => `  ${line}`),
    '',
    'To add the bars to what is served instead, use --add. The served version stays until it is pruned.',
  ].join('\n');
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
