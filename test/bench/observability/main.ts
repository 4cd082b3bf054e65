/** Measures only the cost of metrics and traces, on a fleet with the small market. Takes about three minutes. */
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { Rest } from '#support/fleets/rest.ts';
import { stocksOfLastDay } from '#support/markets/next-day.ts';
import { machineLine, printFigures } from '../report.ts';
import { observabilityFigures } from './cost-figures.ts';

console.log(`Machine: ${machineLine()}`);
const fleet = await Fleet.start(SMALL_MARKET);
try {
  const file = await fleet.file();
  const { key } = await issueKey(fleet.stateDir, 'data:read');
  const [stock] = await stocksOfLastDay(new Rest(file.base_url, key));
  printFigures('node test/bench/observability/main.ts', await observabilityFigures(file, key, stock!.ticker));
} finally {
  await fleet.stop();
}
