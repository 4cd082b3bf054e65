import path from 'node:path';
import { machineLine, printFigures } from '../report.ts';
import { marketProblem, generatedProblem } from './problem.ts';
import { trainerFigures } from './trainer-figures.ts';

/** The part of `make bench` that needs no fleet: `node test/bench/trainer/main.ts`. DATASET works as there. */
const dataset = process.env['DATASET'];
console.log(`Machine: ${machineLine()}`);
const problem = dataset ? await marketProblem(dataset) : generatedProblem();
const named = dataset ? `DATASET=${path.basename(dataset)} ` : '';
printFigures(`${named}node test/bench/trainer/main.ts`, await trainerFigures(problem));
