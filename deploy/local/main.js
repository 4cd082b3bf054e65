// `make run`. The program itself is written in TypeScript: main.ts. Its compiled modules are kept in the state directory, like those
// of the other processes. Compiling them takes half of the processor time of its start, and the compiler 17 MiB for as long as it
// runs. Node keeps only modules that are loaded after this.
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
await import('./main.ts');
