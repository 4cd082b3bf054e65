import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** The absolute path of an installed program; undefined if it is not installed. */
export function findOnPath(program: string, searchPath = process.env.PATH ?? ''): string | undefined {
  const candidates = searchPath.split(path.delimiter).map((directory) => path.resolve(directory, program));
  return candidates.find((candidate) => isExecutable(candidate));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
