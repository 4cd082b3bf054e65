// `make run`. The program itself is main.ts, bundled. What is compiled of it is kept in the state directory, as for the other
// processes: compiling takes half of the processor time of its start. Node keeps only modules that are loaded after this.
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// As in settings.ts and state-dir.ts, which report a directory that cannot be made.
const stateDir = process.env['STATE_DIR'] || '.saring';
try {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  enableCompileCache(path.join(stateDir, 'cache'));
} catch {
  // The program starts without.
}
await import('../../build/local.js');
