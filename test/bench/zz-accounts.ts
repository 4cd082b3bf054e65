import { readFileSync } from 'node:fs';
import type { FleetFile } from '#support/fleet.ts';
import { Rest } from '#support/rest.ts';
import { accountFigures } from './accounts/account-figures.ts';
import { printFigures } from './report.ts';
import { createKey } from '#support/saring-cli.ts';
import { throughputFigures } from './throughput.ts';
const file = JSON.parse(readFileSync('/tmp/bench-acc-fleet/fleet.json', 'utf8')) as FleetFile;
const { key } = await createKey('/tmp/bench-acc-fleet', 'models:read,models:run,data:read,usage:read', '--rate-limit', '1000000');
const rest = new Rest(file.base_url, key);
printFigures('acc', await accountFigures(file, rest));
if (process.argv[2]) {
  const { body } = await rest.get<{ inflow: { ticker: string }[] }>('/api/v1/data/flows?min_abs_val=0&top_n=1');
  printFigures('thr', await throughputFigures({ asking: file.base_url, keeping: file.base_url }, key, body.inflow[0]!.ticker));
}
