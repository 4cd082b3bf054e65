import type { Dataset } from './dataset.ts';
import type { Evidence } from '#proto/saring/models/v1/catalogue.ts';
import type { FirstRun } from './first-run.ts';
import { textTable } from '#foundation/text/text-table.ts';
import { wrapped } from '#foundation/text/wrapped.ts';

/**
 * The columns shown, by the field of a pick. The chance of a win stands beside that of the average stock, because only the
 * comparison shows whether it is high. The score, by which the rows are ordered, comes after both. The signals in words come last,
 * because they are long and may be cut.
 */
const COLUMNS: Record<string, string> = {
  Rank: 'Rank',
  Ticker: 'Ticker',
  win_chance_pct: 'Chance %',
  base_rate_pct: 'Usual %',
  Score: 'Score',
  Signals: 'Signals',
  'Last Close': 'Last Close',
  'Daily Val': 'Daily Val',
  'Signal Detail': 'Signal Detail',
};
/** Width of lines that go to a file or a pipe, or to a terminal that does not know its width and reports 0. */
const USUAL_WIDTH = 80;

const NO_PICKS = 'No picks: no stock met the conditions on this day. That is a valid result.';

/** The result of the first run. Rows wider than the terminal are cut. */
export function describeRun(
  { model, picks, targetDate, dataset, notice, evidence, durationSeconds }: FirstRun,
  terminalWidth?: number,
): string[] {
  const title = [
    `First run: ${model} on ${targetDate}, ${durationSeconds.toFixed(1)} s`,
    `Dataset ${dataset.version}: ${labelOf(dataset)}`,
  ];
  const width = terminalWidth || USUAL_WIDTH;
  const lines = (sentences: string[]) =>
    sentences.flatMap((sentence) => wrapped(sentence, width)).map((line) => cut(line, width));
  if (picks.length === 0) return ['', ...title, '', NO_PICKS, ...lines(sentencesOf(notice))];
  const fields = Object.keys(COLUMNS).filter((field) => picks.some((pick) => field in pick));
  const rows = picks.map((pick) => fields.map((field) => pick[field] ?? ''));
  const titles = fields.map((field) => COLUMNS[field]!);
  const table = textTable(titles, rows, { ruled: true, maxWidth: Infinity });
  const order = fields.includes('Score') ? [ORDER] : [];
  const sentences = [...order, ...sentencesOf(notice), ...(evidence ? worthOf(evidence) : [])];
  return ['', ...title, '', ...table.map((line) => cut(`  ${line}`, width)), '', ...lines(sentences)];
}

const ORDER = 'Best first, by score: the probability and what the model adds to it or takes away.';

const VERDICTS: Record<string, string> = {
  better_than_chance: 'better than chance',
  not_shown: 'not shown to be better than chance',
  worse: 'worse than chance',
};

const ITSELF: Record<string, string> = {
  gain: '',
  not_shown: ' (its interval holds 0)',
  loss: '',
};

/** What a pick of the model returned on the real market, by itself and compared with the average stock, and the verdict. */
function worthOf({ statistic, value, low, high, from, to, verdict, ...evidence }: Evidence): string[] {
  if (statistic !== 'excess_net_return_pct') return [];
  const { net_return_pct: itself, net_return_verdict, exits } = evidence;
  const against = `${Math.abs(value)} % ${value < 0 ? 'less' : 'more'} than the average stock`;
  // Absent in the message is null in JSON.
  const both =
    typeof itself !== 'number'
      ? against
      : `${itself} %${ITSELF[net_return_verdict ?? 'not_shown']} and ${against}`;
  return [
    `On the real market, from ${from} to ${to}, a pick of this model returned ${both} after costs (95 %: ${low} to ${high}): ${VERDICTS[verdict]}.`,
    ...(exits === 'any_day' ? ['Its positions were sold on any day, also where nobody bid.'] : []),
  ];
}

/** Splits a text into sentences, each of which starts a line. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.) /);
}

function labelOf({ kind, broker_data }: Dataset): string {
  if (kind === 'synthetic') return 'SYNTHETIC data, no real stock is meant';
  return broker_data === 'synthetic' ? `${kind} bars, SYNTHETIC broker rows` : `${kind} data`;
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

interface WelcomeDetails {
  baseUrl: string;
  /** A link that signs in to the console once. */
  consoleUrl: string;
  demoKey: string;
  stateDir: string;
  /** Whether the lines go to a terminal. Other output may be stored and read by others, so it contains no key. */
  isTerminal: boolean;
  /** Undefined with an external ClickHouse. */
  analyst: { url: string; user: string } | undefined;
}

/** What the user can do next. */
export function describeFleet(details: WelcomeDetails): string[] {
  const { baseUrl, consoleUrl, demoKey, stateDir, isTerminal, analyst } = details;
  const fleetFile = `${stateDir}/fleet.json`;
  const key = isTerminal ? demoKey : `demo_key in ${fleetFile}, which only its owner can read`;
  const inCommand = isTerminal ? demoKey : `$(node -p "require('${fleetFile}').demo_key")`;
  const consoleLines = isTerminal
    ? [`  Console    ${consoleUrl}`, '             signs in once, within 15 minutes']
    : [`  Console    ${baseUrl}/console; console_url in ${fleetFile} signs in once`];
  const sql = analyst ? [`  SQL        ${analyst.url} as ${analyst.user}, password in ${fleetFile}`] : [];
  return [
    '',
    'Saring is ready.',
    ...consoleLines,
    `  REST API   ${baseUrl}`,
    `  Docs       ${baseUrl}/api/docs`,
    `  Demo key   ${key}`,
    ...sql,
    `  Logs       ${stateDir}/logs`,
    `  State      ${stateDir}`,
    '',
    'Try:',
    `  curl -s -X POST -H "Authorization: Bearer ${inCommand}" -H 'X-End-User: alice' \\`,
    `    '${baseUrl}/api/v1/models/model_f_combined/runs?wait=30&view=compact'`,
    '',
    'Ctrl-C stops everything.',
  ];
}
