import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { filesOf } from '#services/market-data/import/files/archive.ts';
import { Upload } from '#cli/commands/upload.ts';
import type { Fleet } from '#support/fleets/fleet.ts';
import type { Rest } from '#support/rest/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { SteadyReader } from '#support/rest/steady-reader.ts';
import type { Stage } from '#support/measuring/stage.ts';
import type { Figure } from '#support/measuring/report.ts';

interface Outcome {
  elapsed_ms: number;
  dataset: { version: string; bars: number; broker_rows: number; last_date: string };
}

/** Newest days of a dataset that are not imported at first, so that each can be added later as a new day. */
const SPARE_DAYS = 20;

/** Imports all but the newest days of a dataset into an idle fleet, then generates broker rows for all imported days. */
export async function importFigures(fleet: Fleet, dataset: string): Promise<Figure[]> {
  const firstSpared = (await daysOf(dataset)).at(-SPARE_DAYS) ?? '';
  const imported = await importDays(fleet, dataset, { isWanted: (day) => day < firstSpared, adds: false });
  const synthesized = await outcomeOf(fleet, 'synthesize-brokers');
  return [
    {
      what: 'dataset import into a fleet at rest, until it is served',
      measured: `${seconds(imported)} for ${count(imported.dataset.bars)} bars`,
      bar: '< 5 s',
    },
    {
      what: 'making up broker rows of every day, until they are served',
      measured: `${seconds(synthesized)} for ${count(synthesized.dataset.broker_rows)} rows`,
    },
  ];
}

/** Adds a day while a client reads. */
export async function appendFigures({ fleet, file, key, rest }: Stage, dataset: string): Promise<Figure[]> {
  const reader = new SteadyReader(`${file.base_url}/api/v1/data/market-overview`, key);
  const added = await addNextDay(fleet, rest, dataset);
  await reader.stop();
  const measured = `${seconds(added)}, ${count(added.dataset.bars)} bars and ${count(added.dataset.broker_rows)} broker rows then`;
  const slowest = `${reader.longestMs.toFixed(0)} ms of ${count(reader.reads)} reads`;
  return [
    { what: 'adding a day, until it is served', measured, bar: 'seconds' },
    { what: 'the slowest read meanwhile', measured: slowest, bar: '< 100 ms' },
  ];
}

/** Imports the day after the newest one that is served, as an operator adds it in the evening. */
export async function addNextDay(fleet: Fleet, rest: Rest, dataset: string): Promise<Outcome> {
  const { body } = await rest.get<{ date: string }>('/api/v1/data/market-overview');
  const next = (await daysOf(dataset)).find((day) => day > body.date);
  if (next === undefined) throw new Error(`${dataset} has no day after ${body.date}`);
  return importDays(fleet, dataset, { isWanted: (day) => day === next, adds: true });
}

async function importDays(
  fleet: Fleet,
  dataset: string,
  wanted: { isWanted: (day: string) => boolean; adds: boolean },
): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-bench-'));
  try {
    await writeDays(dataset, wanted, folder);
    const options = wanted.adds ? ['--add', '--synthesize-brokers'] : [];
    return await outcomeOf(fleet, 'import', folder, ...options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function outcomeOf(fleet: Fleet, ...words: string[]): Promise<Outcome> {
  const response = await saring(fleet.stateDir, 'dataset', ...words, '--json');
  if (response.code !== 0) throw new Error(response.stderr);
  return JSON.parse(response.stdout) as Outcome;
}

const seconds = ({ elapsed_ms }: Outcome) => `${(elapsed_ms / 1000).toFixed(1)} s`;
const count = (n: number) => n.toLocaleString('en');

/** The trading days of a dataset, ascending. */
async function daysOf(dataset: string): Promise<string[]> {
  const days = new Set<string>();
  for await (const { rows } of filesOfDataset(dataset)) for (const row of rows) days.add(dayOf(row));
  return [...days].sort();
}

/** Writes the bars of some days of a dataset into files like its own, with its listings unless the days are to be added. */
async function writeDays(
  dataset: string,
  { isWanted, adds }: { isWanted: (day: string) => boolean; adds: boolean },
  folder: string,
): Promise<void> {
  for await (const { file, head, rows, content } of filesOfDataset(dataset)) {
    const wanted = rows.filter((row) => isWanted(dayOf(row)));
    const isListing = rows.length === 0;
    if (isListing ? adds : wanted.length === 0) continue;
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, isListing ? content : [head, ...wanted, ''].join('\n'));
  }
}

const dayOf = (row: string) => row.slice(0, 'YYYY-MM-DD'.length);

/** Its files, with those of their lines that begin with a day. */
async function* filesOfDataset(dataset: string) {
  for await (const { path: file, bytes } of filesOf(await bytesOf(dataset), path.basename(dataset))) {
    const content = await text(bytes);
    const [head = '', ...lines] = content.split('\n');
    yield { file, head, content, rows: lines.filter((line) => /^\d{4}-\d{2}-\d{2}/.test(line)) };
  }
}

/** The bytes that the operator's command line would send. */
async function bytesOf(dataset: string): Promise<AsyncIterable<Buffer>> {
  const upload = await Upload.of(dataset);
  const request = {
    kind: 'real',
    adds: false,
    may_shrink: false,
    synthesize_brokers: false,
    broker_unit: '',
    broker_mode: '',
  };
  return (async function* () {
    for await (const { part } of upload.messages({ ...request, sha256: undefined })) {
      if (part?.$case === 'chunk') yield part.value;
    }
  })();
}
