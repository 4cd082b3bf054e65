/** Measures only how strangers hold up a gateway, on a fleet with the small market. Takes about a minute. */
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { machineLine, printFigures } from '../report.ts';
import { strangerFigures } from './stranger-figures.ts';

console.log(`Machine: ${machineLine()}`);
const fleet = await Fleet.start(SMALL_MARKET);
try {
  const file = await fleet.file();
  const { key } = await issueKey(fleet.stateDir, 'data:read');
  printFigures('node test/bench/strangers/main.ts', await strangerFigures(file, key));
} finally {
  await fleet.stop();
}
