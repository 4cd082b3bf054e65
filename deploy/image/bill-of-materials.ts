/**
 * Writes the bill of materials of an image in CycloneDX: every installed package that is needed at run time, and the packages
 * that are bundled into the console.
 *
 *   node_modules/.bin/node deploy/image/bill-of-materials.ts > sbom.cdx.json
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Development packages whose code is shipped in the bundle, with their dependencies. */
const BUNDLED = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  '@tanstack/virtual-core',
  'lightweight-charts',
  'fancy-canvas',
];
const MAX_BYTES = 64 * 1_048_576;

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
}

interface Bill {
  metadata: { component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean; name?: string }>;
}

/** Names such as `pg@8.23.1`. An image leaves out some packages of the lock file, and others appear in several versions. */
function shipped(): Set<string> {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const known = Object.entries(packages).map(([folder, { version, dev, name }]) => ({
    name: name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    isShipped: dev !== true && existsSync(path.join(ROOT, folder)),
  }));
  const wanted = known.filter(({ name, isShipped }) => isShipped || BUNDLED.includes(name));
  return new Set(wanted.map(({ name, version }) => `${name}@${version}`));
}

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const output = execFileSync('npm', [...args, '--loglevel=error'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: MAX_BYTES,
});
const bill = JSON.parse(output) as Bill;
const names = shipped();
const isShipped = (ref: string) => names.has(ref);
// npm uses the name of the folder.
bill.metadata.component.name = 'saring';
bill.components = bill.components.filter(({ name, version }) => isShipped(`${name}@${version}`));
const refs = new Set(bill.components.map((component) => component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref) || ref.startsWith('saring@'))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
process.stdout.write(`${JSON.stringify(bill, undefined, 2)}\n`);
