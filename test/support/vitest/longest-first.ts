import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files that share a fleet before the others of their group. They take longest, and vitest would start them last: it
 * knows how long a file takes only where it has run before, otherwise it goes by the size, and they only import their tests.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = new Map(files.map(({ moduleId }) => [moduleId, importsItsTests(moduleId)]));
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * project.config.sequence.groupOrder + Number(!isLong.get(moduleId));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

function importsItsTests(file: string): boolean {
  return /^import '\.\//m.test(readFileSync(file, 'utf8'));
}
