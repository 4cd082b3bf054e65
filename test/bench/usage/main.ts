import { machineLine, printFigures } from '../report.ts';
import { usageFigures } from './usage-figures.ts';

/**
 * The part of `make bench` that queries a usage ledger: `node test/bench/usage/main.ts`. BENCH_USAGE_EVENTS makes the ledger
 * smaller.
 */
console.log(`Machine: ${machineLine()}`);
printFigures('node test/bench/usage/main.ts', await usageFigures());
