import type { Dataset } from './dataset.ts';
import type { FirstRun } from './first-run.ts';
import { textTable } from '#shared/text-table.ts';

/** The signals in words stand last, since they are long. */
const COLUMNS = [
  'Ticker',
  'Signals',
  'Last Close',
  'Daily Val',
  'RSI',
  'Stoch %K',
  'MACD Hist',
  'Vol Ratio',
  'Signal Detail',
];

const NO_PICKS = 'It found no picks on this day: no stock met its conditions. That is a valid result.';

/** What the first run found; rows wider than the terminal are cut. */
export function describeRun(
  { model, picks, targetDate, durationSeconds }: FirstRun,
  dataset: Dataset,
  terminalWidth = Infinity,
): string[] {
  const title = `First run: ${model} on ${targetDate}, dataset ${dataset.version} (${labelOf(dataset)}), ${durationSeconds.toFixed(1)} s`;
  if (picks.length === 0) return ['', title, '', NO_PICKS];
  const columns = COLUMNS.filter((column) => picks.some((pick) => column in pick));
  const rows = picks.map((pick) => columns.map((column) => pick[column] ?? ''));
  const table = textTable(columns, rows, { ruled: true });
  return ['', title, '', ...table.map((line) => cut(`  ${line}`, terminalWidth))];
}

function labelOf({ kind, broker_data }: Dataset): string {
  if (kind === 'synthetic') return 'SYNTHETIC data: no real stock is meant';
  return broker_data === 'synthetic' ? `${kind} bars, SYNTHETIC broker rows` : `${kind} data`;
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

export interface WelcomeDetails {
  baseUrl: string;
  demoKey: string;
  stateDir: string;
  /** Undefined when ClickHouse is not the fleet's own. */
  analyst: { url: string; user: string } | undefined;
}

/** How to go on from here. */
export function describeFleet({ baseUrl, demoKey, stateDir, analyst }: WelcomeDetails): string[] {
  const sql = analyst
    ? [`  SQL        ${analyst.url} as ${analyst.user}, password in ${stateDir}/fleet.json`]
    : [];
  return [
    '',
    'Saring is ready.',
    `  REST API   ${baseUrl}`,
    `  Docs       ${baseUrl}/api/docs`,
    `  Demo key   ${demoKey}`,
    ...sql,
    `  Logs       ${stateDir}/logs`,
    `  State      ${stateDir}`,
    '',
    'Try:',
    `  curl -s -X POST -H 'Authorization: Bearer ${demoKey}' -H 'X-End-User: alice' \\`,
    `    '${baseUrl}/api/v1/models/model_f_combined/runs?wait=30&view=compact'`,
    '',
    'Ctrl-C stops everything.',
  ];
}
