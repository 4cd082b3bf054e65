import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { filesOf } from '#services/market-data/import/files/archive.ts';
import { Upload } from '#cli/upload.ts';
import type { Fleet } from '#support/fleets/fleet.ts';
import type { Rest } from '#support/fleets/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { SteadyReader } from '#support/fleets/steady-reader.ts';
import type { Stage } from '#support/measuring/stage.ts';
import type { Figure } from '#support/measuring/report.ts';

interface Outcome {
  elapsed_ms: number;
  dataset: { version: string; bars: number; broker_rows: number; last_date: string };
}

/** Imports a whole dataset into an idle fleet, then generates broker rows for all of its days. */
export async function importFigures(fleet: Fleet, dataset: string): Promise<Figure[]> {
  const imported = await outcomeOf(fleet, 'import', dataset);
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
  const added = await addLastDay(fleet, rest, dataset);
  await reader.stop();
  const measured = `${seconds(added)}, ${count(added.dataset.bars)} bars and ${count(added.dataset.broker_rows)} broker rows then`;
  const slowest = `${reader.longestMs.toFixed(0)} ms of ${count(reader.reads)} reads`;
  return [
    { what: 'adding a day, until it is served', measured, bar: 'seconds' },
    { what: 'the slowest read meanwhile', measured: slowest, bar: '< 100 ms' },
  ];
}

/** Imports the dataset's own last day again, as an operator adds a new day in the evening. */
export async function addLastDay(fleet: Fleet, rest: Rest, dataset: string): Promise<Outcome> {
  const { body } = await rest.get<{ date: string }>('/api/v1/data/market-overview');
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-bench-'));
  try {
    await writeDayOf(dataset, body.date, folder);
    return await outcomeOf(fleet, 'import', folder, '--add', '--synthesize-brokers');
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

/** Writes a file for every ticker of a dataset with the rows of one day, like the files that an operator has in the evening. */
async function writeDayOf(dataset: string, day: string, folder: string): Promise<void> {
  for await (const { path: file, bytes } of filesOf(await bytesOf(dataset), path.basename(dataset))) {
    const [head = '', ...lines] = (await text(bytes)).split('\n');
    const ofDay = lines.filter((line) => line.startsWith(day));
    if (ofDay.length > 0)
      await writeFile(path.join(folder, path.basename(file)), [head, ...ofDay, ''].join('\n'));
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
