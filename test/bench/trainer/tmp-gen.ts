import { printFigures } from '../report.ts';
import { generatedProblem } from './problem.ts';
import { trainerFigures } from './trainer-figures.ts';
printFigures('generated', await trainerFigures(generatedProblem()));
