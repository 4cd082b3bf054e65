import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OPERATOR_TOKEN } from '../processes/service-process.ts';

const folders: string[] = [];
/** Nothing listens there. */
const NOBODY = '127.0.0.1:9';

/** Makes an empty folder that `removeFolders` deletes. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-cli-'));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

interface FleetParts {
  keys: string;
  market_data: string;
  scheduler?: string;
  feed?: string;
  operator_token?: string;
}

/** Writes a `fleet.json` as a running fleet does. */
export async function writeFleetFile(folder: string, fleet: FleetParts): Promise<void> {
  const { operator_token = OPERATOR_TOKEN, ...parts } = fleet;
  const addresses = { models: NOBODY, usage: NOBODY, scheduler: NOBODY, feed: NOBODY, ...parts };
  const document = { base_url: 'http://127.0.0.1:8080', addresses, operator_token };
  await writeFile(path.join(folder, 'fleet.json'), JSON.stringify(document), { mode: 0o600 });
}
