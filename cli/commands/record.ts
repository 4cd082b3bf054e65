import { InvalidArgumentError, type Command } from 'commander';
import type {
  GetRecordResponse,
  RecordEstimate,
  RecordFigures,
  RecordHead,
  VerifyRecordResponse,
} from '#proto/saring/models/v1/record.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, orNull, table, type OutputOptions } from '../terminal/output.ts';

/** Long, because the service reads the whole record. */
const VERIFY_TIMEOUT_MS = 600_000;

const VERIFY_HELP = `
Computes every seal again with the secret of the models service and compares the runs with their entries. It prints a head:
note it on another machine. With --head, a later check also finds out whether the newest entries were removed.

The exit code is 1 if anything was altered, removed or inserted.

Example:
  saring record verify --head 1042:9f2c…`;

/** `saring record …` */
export function addRecordCommands(program: Command): void {
  const record = program
    .command('record')
    .description('outcomes of past picks, and whether anyone tampered with the record');
  record
    .command('verify')
    .description('find entries that were altered, removed or inserted without the service')
    .option('--head <seq:hash>', 'a head that you noted earlier, which must still be in the record', headOf)
    .addHelpText('after', VERIFY_HELP)
    .action(verify);
  record
    .command('show <model>')
    .description('outcomes of the daily runs of a model')
    .option('--from <day>', 'first day analysed, YYYY-MM-DD')
    .option('--to <day>', 'last day analysed, YYYY-MM-DD')
    .addHelpText(...examples('record show model_f_combined --from 2026-01-01'))
    .action(show);
}

async function verify({ head, ...options }: OutputOptions & { head?: RecordHead }): Promise<void> {
  const found = await withFleet(({ record, call }) =>
    record.verifyRecord({ head }, { ...call, timeoutMs: VERIFY_TIMEOUT_MS }),
  );
  answer(options, orNull(found), () => verificationText(found));
  if (found.problems.length > 0) process.exitCode = EXIT.refused;
}

function verificationText({ entries, runs, picks, head, problems }: VerifyRecordResponse): string {
  const read = `${entries} entries read: ${runs} runs with ${picks} picks.`;
  const end = `Head ${head ? shown(head) : 'none'}`;
  if (problems.length === 0) return `  ✓ The record is intact. ${read}\n  ${end}`;
  return [
    `  ✗ The record was tampered with. ${read}`,
    ...problems.map((one) => `    ${one}`),
    `  ${end}`,
  ].join('\n');
}

interface ShowOptions extends OutputOptions {
  from?: string;
  to?: string;
}

async function show(model_id: string, { from, to, ...options }: ShowOptions): Promise<void> {
  const { own: _, ...record } = await withFleet(({ record, call }) =>
    record.getRecord({ model_id, from, to, api_key_id: '' }, call),
  );
  answer(options, { ...record, head: record.head ?? null }, () => recordText(record));
}

type Row = RecordFigures & { part: string };

const COLUMNS: Parameters<typeof table<Row>>[1] = {
  '': ({ part }) => part,
  runs: ({ runs }) => runs,
  picks: ({ n }) => n,
  open: ({ open }) => open,
  unfilled: ({ unfilled }) => unfilled,
  bought: ({ filled }) => filled,
  won: ({ wins }) => wins,
  'win rate': ({ win_rate_pct }) => percent(win_rate_pct),
  'base rate': ({ base_rate_pct }) => percent(base_rate_pct),
  lift: ({ lift }) => estimate(lift),
  'net return': ({ net_return_pct }) => estimate(net_return_pct, ' %'),
};

function recordText({
  model_id,
  is_recorded,
  dataset_kind,
  head,
  daily,
}: Omit<GetRecordResponse, 'own'>): string {
  if (!is_recorded || !daily?.figures) return `${model_id} picks nothing: it has no record.`;
  const { figures, history, by_month, by_regime } = daily;
  const rows: Row[] = [
    { part: 'all', ...figures },
    ...by_month.map(({ month, figures }) => ({ part: month, ...figures! })),
    ...by_regime.map(({ regime, figures }) => ({ part: regime, ...figures! })),
  ];
  const market = dataset_kind === 'synthetic' ? 'SYNTHETIC data, no real stock is meant' : 'the real market';
  return [
    `Daily runs of ${model_id}: ${dataset_kind ? market : 'no dataset yet'}`,
    table(rows, COLUMNS),
    ...(history > 0 ? [`${history} picks are history, and no figure counts them.`] : []),
    `Head ${head ? shown(head) : 'none'}`,
  ].join('\n');
}

function percent(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(1)} %`;
}

function estimate(of: RecordEstimate | undefined, unit = ''): string {
  if (of?.value === undefined) return '–';
  const interval = of.low === undefined || of.high === undefined ? '' : ` (${of.low} to ${of.high})`;
  return `${of.value}${unit}${interval}`;
}

function shown({ seq, hash }: RecordHead): string {
  return `${seq}:${hash}`;
}

function headOf(text: string): RecordHead {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq && hash) return { seq: Number(seq), hash };
  throw new InvalidArgumentError('must be a head as `saring record verify` prints it, SEQ:HASH.');
}
