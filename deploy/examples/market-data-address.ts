import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Where market-data listens: MARKET_DATA_ADDRESS, as every service of the fleet reads it, or else what a fleet on
 * this machine has written down about itself.
 * @throws Error that says what to do
 */
export function marketDataAddress(env: NodeJS.ProcessEnv = process.env): string {
  if (env['MARKET_DATA_ADDRESS']) return env['MARKET_DATA_ADDRESS'];
  const file = path.resolve(env['STATE_DIR'] || '.saring', 'fleet.json');
  try {
    const fleet = JSON.parse(readFileSync(file, 'utf8')) as { addresses: { market_data: string } };
    return fleet.addresses.market_data;
  } catch (cause) {
    throw new Error(`${file} names no fleet: start one with 'make run', or set MARKET_DATA_ADDRESS.`, {
      cause,
    });
  }
}
