import { machineLine, printFigures } from '../report.ts';
import { usageFigures } from './usage-figures.ts';

/** The part of `make bench` that asks a usage ledger: `node test/bench/usage/main.ts`, with BENCH_USAGE_EVENTS for a smaller one. */
console.log(`Machine: ${machineLine()}`);
printFigures('node test/bench/usage/main.ts', await usageFigures());
