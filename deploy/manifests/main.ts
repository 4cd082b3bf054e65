/** Writes what follows from the table of services into the manifests and the documents: `make manifests`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writtenFiles } from './generate-manifests.ts';

for (const { file, content } of await writtenFiles()) {
  writeFileSync(path.join(import.meta.dirname, '../..', file), content);
  console.log(file);
}
