import { machineLine } from '../machine.ts';
import { printFigures } from '../report.ts';
import { usageFigures } from './usage-figures.ts';

console.log(`Machine: ${machineLine()}`);
printFigures('usage', await usageFigures());
